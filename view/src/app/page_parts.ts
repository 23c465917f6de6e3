/** Parts that several pages of the app use. */

import { percent } from "../format";
import { type Attributes, button, type Child, html, table } from "../ui/elements";
import { Refusal, type Run } from "./api";
import { APP, COMPARING } from "./messages";

/** A page of the app, made for an element and removed when another page opens. */
export interface Page {
  destroy(): void;
}

/** Go to another page, unless the user has left this page already. */
export function goOn(from: HTMLElement, address: string): void {
  if (from.isConnected) {
    location.hash = address;
  }
}

/** A button that is disabled while its action runs, and that shows an error if the action fails. */
export function actionButton(
  words: string,
  act: () => void | Promise<void>,
  attributes: Attributes & { readonly key?: string } = {},
): HTMLButtonElement {
  const start = () => {
    complain(el, ""); // clear an earlier message
    void waited(el, act);
  };
  const el = button(words, start, { class: "ls-app-button", ...attributes });
  return el;
}

/** Run a slow action; its element is marked as busy, and shows an error if the action fails. */
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

/** Show a message after a control or inside a part; "" removes the message. */
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

/** A button that opens a list of links and buttons; a choice closes the list. */
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

/** A table on the page; its caption is only for screen readers. */
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

/** Text on one line, cut if it is too long; the tooltip shows the full text. */
export function cut(words: string, attributes: Record<string, string> = {}) {
  return html("span", { title: words, ...attributes, class: "ls-app-cut" }, words);
}

/** A time in words: today's times by the clock, others by the day. */
export function moment(seconds: number): string {
  const then = new Date(seconds * 1000);
  const isToday = then.toDateString() === new Date().toDateString();
  return isToday
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
}

/** A duration in words: "4 s", "2 min 5 s", "1 h 3 min". */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) {
    return `${hours} h ${minutes} min`;
  }
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

// The result of a finished run as numbers, for the list of runs and for comparison.

/** The accuracy on held-out rows; "–" if it was not measured. */
export function accuracyWords({ result }: Run): string {
  return result.accuracy == null ? "–" : percent(result.accuracy);
}

/** The duration of a run; "" if it never started. */
export function timeWords({ started, ended }: Run): string {
  return started === null || ended === null ? "" : span(Math.ceil(ended - started));
}

/** The recommended run, which has the highest accuracy, and the reason in words. */
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
