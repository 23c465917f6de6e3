/** What the pages of the app have in common. */

import { type Child, html } from "../ui/elements";
import { Refusal } from "./api";

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
export function button(
  words: string,
  act: () => void | Promise<void>,
  attributes: Record<string, string> = {},
): HTMLButtonElement {
  const made: HTMLButtonElement = html(
    "button",
    {
      type: "button",
      class: "ls-app-button",
      ...attributes,
      onclick: () => {
        complain(made, ""); // of the time before
        void waited(made, act);
      },
    },
    words,
  );
  return made;
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
  return "The page failed. Load it again.";
}

const complaints = new WeakMap<HTMLElement, HTMLElement>();

/** Show a sentence where it was caused: after a control, in a part; "" takes it away. */
export function complain(owner: HTMLElement, words: string): void {
  complaints.get(owner)?.remove();
  if (words === "") {
    return;
  }
  const sentence = html("p", { class: "ls-app-error", role: "alert" }, words);
  complaints.set(owner, sentence);
  if (owner.matches("button, label, select, input")) {
    owner.after(sentence);
  } else {
    owner.prepend(sentence);
  }
}

/** Put new children in place of the old; whoever had the focus keeps it, by its key. */
export function renew(el: HTMLElement, ...children: Child[]): void {
  const focused = document.activeElement;
  const key = el.contains(focused) ? focused?.getAttribute("data-key") : undefined;
  el.replaceChildren(...children.filter((child) => child !== null));
  if (key !== undefined) {
    const same = [...el.querySelectorAll<HTMLElement>("[data-key]")].find(
      (one) => one.dataset.key === key,
    );
    // What was deleted leaves the focus to the title of the list.
    (same ?? el.querySelector<HTMLElement>("h2"))?.focus();
  }
}

/** A table of the page; the first row holds the names of its columns. */
export function grid(
  caption: string,
  names: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLTableElement {
  return html(
    "table",
    { class: "ls-app-table" },
    html("caption", { class: "ls-app-unseen" }, caption),
    html(
      "thead",
      {},
      html("tr", {}, ...names.map((name) => html("th", { scope: "col" }, name))),
    ),
    html(
      "tbody",
      {},
      ...rows.map((row) => html("tr", {}, ...row.map((cell) => html("td", {}, cell)))),
    ),
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
