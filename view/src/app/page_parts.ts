/** What the pages of the app have in common. */

import { percent } from "../scene/format";
import { type Attributes, button, type Child, html, table } from "../ui/elements";
import { Refusal, type Run } from "./api";
import { APP, COMPARING } from "./messages";

/** A page of the app: made with an element, taken away when another one comes. */
export interface Page {
  destroy(): void;
}

/** Go to another page, unless a person has left this one already. */
export function goOn(from: HTMLElement, address: string): void {
  if (from.isConnected) {
    location.hash = address;
  }
}

/** A button that waits for what it started, and says why that failed. */
export function actionButton(
  words: string,
  act: () => void | Promise<void>,
  attributes: Attributes & { readonly key?: string } = {},
): HTMLButtonElement {
  const start = () => {
    complain(el, ""); // of the time before
    void waited(el, act);
  };
  const el = button(words, start, { class: "ls-app-button", ...attributes });
  return el;
}

/** Do something that may take a while, with its owner telling so, and why it failed. */
export async function waited(
  owner: HTMLElement,
  act: () => void | Promise<void>,
): Promise<void> {
  if (owner.getAttribute("aria-busy") === "true") {
    return;
  }
  owner.setAttribute("aria-busy", "true");
  try {
    await act();
    complain(owner, "");
  } catch (error) {
    complain(owner, wordsOf(error));
  } finally {
    owner.removeAttribute("aria-busy");
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Refusal) {
    return error.message;
  }
  reportError(error);
  return APP.failed;
}

const complaints = new WeakMap<HTMLElement, HTMLElement>();

/** Show a sentence where it was caused: after a control, in a part; "" takes it away. */
export function complain(owner: HTMLElement, words: string): void {
  complaints.get(owner)?.remove();
  if (words === "") {
    return;
  }
  const sentence = html("p.ls-app-error", { role: "alert" }, words);
  complaints.set(owner, sentence);
  if (owner.matches("button, label, select, input")) {
    owner.after(sentence);
  } else {
    owner.prepend(sentence);
  }
}

/** A button that opens a list of links and buttons, which closes when one is chosen. */
export function dropDown(words: string, ...items: Child[]): HTMLDetailsElement {
  const close = () => {
    el.open = false;
  };
  const leave = (event: Event) => {
    const next = (event as FocusEvent).relatedTarget;
    if (!(next instanceof Node && el.contains(next))) {
      close();
    }
  };
  const el: HTMLDetailsElement = html(
    "details.ls-app-menu",
    {
      onfocusout: leave,
      onkeydown: (event) => {
        if ((event as KeyboardEvent).key === "Escape") {
          close();
          el.querySelector("summary")?.focus();
        }
      },
    },
    html("summary.ls-app-button", words),
    html("div.ls-app-menu-list", { tabindex: -1, onclick: close }, ...items),
  );
  return el;
}

/** A table of the page; its caption is for screen readers only. */
export function grid(
  caption: string,
  names: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLTableElement {
  return table(
    { class: "ls-app-table" },
    names,
    rows,
    html("caption.ls-app-unseen", caption),
  );
}

/** Text on one line, cut where there is no room; the pointer shows all of it. */
export function cut(words: string, attributes: Record<string, string> = {}) {
  return html("span", { title: words, ...attributes, class: "ls-app-cut" }, words);
}

/** A moment as people read it: today's by the clock, others by the day. */
export function moment(seconds: number): string {
  const then = new Date(seconds * 1000);
  const isToday = then.toDateString() === new Date().toDateString();
  return isToday
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
}

/** How long something took or takes: "4 s", "2 min 5 s", "1 h 3 min". */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) {
    return `${hours} h ${minutes} min`;
  }
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

// The result of a finished run in figures: for the list of runs, and to compare them.

/** The share of held-out rows that get the right class; "–" if it was not measured. */
export function accuracyWords({ result }: Run): string {
  return result.accuracy == null ? "–" : percent(result.accuracy);
}

/** How long it took; "" if it never began. */
export function timeWords({ started, ended }: Run): string {
  return started === null || ended === null ? "" : span(Math.ceil(ended - started));
}

/** Which run to look at first, and why: the one with the highest accuracy. */
export function advice(runs: readonly Run[]): { best: Run | null; words: string } {
  const tested = runs
    .filter(({ result }) => result.accuracy != null)
    .sort((a, b) => (b.result.accuracy ?? 0) - (a.result.accuracy ?? 0));
  const [best, ...others] = tested;
  if (best === undefined) {
    return { best: null, words: COMPARING.none };
  }
  const rest = others.map((run) => `${run.name} ${accuracyWords(run)}`).join(", ");
  return { best, words: COMPARING.best(best.name, accuracyWords(best), rest) };
}
