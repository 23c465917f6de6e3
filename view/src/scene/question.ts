/**
 * The grammar of searches: comparisons, combined by `and`, `or`, `not` and parentheses.
 *
 *     question   = all { "or" all }
 *     all        = one { "and" one }
 *     one        = "not" one | "(" question ")" | comparison
 *     comparison = name sign value, or plain text
 *
 * Names and values may also contain parentheses and these three words. Therefore a known name
 * is read as a whole, and a word combines only if another comparison follows.
 */

import { SEARCH } from "../messages";

export type Question =
  | { readonly kind: "and" | "or"; readonly parts: readonly Question[] }
  | { readonly kind: "not"; readonly part: Question }
  | { readonly kind: "comparison"; readonly text: string };

/** The search, or a message that explains which part is invalid and what to write. */
type Read = { readonly question: Question } | { readonly words: string };

/** The column name at the start of a text, up to its sign; null if there is none. */
type NameAt = (text: string) => string | null;

const SIGN = /<=|>=|!=|=|<|>/;
const JOINT = /^\s+(and|or)(?=[\s(]|$)/i;
const NOT = /^not(?=[\s(])/i;
/** Quotation marks around values, which may contain any text. */
const QUOTED = /^(["“„])[^"“”„]*["”“]/;

/** Read a search on one line. */
export function readQuestion(text: string, nameAt: NameAt): Read {
  const reader = new Reader(text, nameAt);
  try {
    return { question: reader.all() };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { words: error.message };
    }
    throw error;
  }
}

class Unreadable extends Error {}

class Reader {
  #at = 0;
  /** The number of open parentheses. */
  #open = 0;

  constructor(
    private readonly text: string,
    private readonly nameAt: NameAt,
  ) {}

  all(): Question {
    const question = this.#joined("or");
    if (this.#at < this.text.length) {
      throw new Unreadable(SEARCH.joint(this.#before()));
    }
    return question;
  }

  #joined(word: "and" | "or"): Question {
    const next = () => (word === "or" ? this.#joined("and") : this.#one());
    const parts = [next()];
    while (this.#joint()?.[1].toLowerCase() === word) {
      this.#skip(this.#joint()?.[0] ?? "");
      parts.push(next());
    }
    return parts.length > 1 ? { kind: word, parts } : parts[0];
  }

  #one(): Question {
    this.#skipSpace();
    const rest = this.#rest();
    if (rest === "" || (this.#open > 0 && rest.startsWith(")"))) {
      throw new Unreadable(this.#wanting());
    }
    if (this.nameAt(rest) === null) {
      if (NOT.test(rest)) {
        this.#skip("not");
        return { kind: "not", part: this.#one() };
      }
      if (rest.startsWith("(")) {
        return this.#inBrackets();
      }
    }
    return { kind: "comparison", text: this.#comparison() };
  }

  #inBrackets(): Question {
    const start = this.#at;
    this.#open += 1;
    this.#skip("(");
    const question = this.#joined("or");
    this.#skipSpace();
    if (!this.#rest().startsWith(")")) {
      const inside = this.text.slice(start, this.#at).trim();
      throw new Unreadable(SEARCH.notClosed(inside));
    }
    this.#open -= 1;
    this.#skip(")");
    return question;
  }

  /** One comparison: its name, and the text up to the next combining word or parenthesis. */
  #comparison(): string {
    const start = this.#at;
    this.#skip(this.nameAt(this.#rest()) ?? "");
    let depth = 0;
    while (this.#at < this.text.length) {
      const rest = this.#rest();
      const quoted = QUOTED.exec(rest)?.[0];
      if (quoted) {
        this.#skip(quoted);
        continue;
      }
      if (depth === 0 && (this.#joint() || (this.#open > 0 && rest.startsWith(")")))) {
        break;
      }
      depth += Number(rest.startsWith("(")) - Number(rest.startsWith(")"));
      depth = Math.max(depth, 0);
      this.#at += 1;
    }
    return this.text.slice(start, this.#at).trim();
  }

  /** A combining word at this position; it must be followed by a comparison. */
  #joint(): RegExpExecArray | null {
    const joint = JOINT.exec(this.#rest());
    if (!joint) {
      return null;
    }
    const after = this.#rest().slice(joint[0].length).trimStart();
    return after === "" || this.#begins(after) ? joint : null;
  }

  /** Whether a text begins with a comparison: a known name, or a name with a sign. */
  #begins(text: string): boolean {
    if (this.nameAt(text) !== null) {
      return true;
    }
    const inner = text.replace(/^(\(|not(?=[\s(])|\s)+/i, "");
    const first = inner.split(/\s+(?:and|or)(?=[\s(]|$)/i, 1)[0];
    return inner === "" || this.nameAt(inner) !== null || SIGN.test(first);
  }

  /** The message if a comparison is missing. */
  #wanting(): string {
    const before = this.#before();
    const word = /(\band|\bor|\bnot|\()$/i.exec(before)?.[0] ?? "";
    return word === "(" ? SEARCH.inParentheses : SEARCH.after(before);
  }

  #before(): string {
    return this.text.slice(0, this.#at).trim();
  }

  #rest(): string {
    return this.text.slice(this.#at);
  }

  #skip(part: string): void {
    this.#at += part.length;
  }

  #skipSpace(): void {
    this.#at += /^\s*/.exec(this.#rest())?.[0].length ?? 0;
  }
}
