/** What the pages of the app have in common. */

import { type Child, html } from "../elements";
import { Refusal } from "./api";

/** A page of the app: made with an element, taken away when another one comes. */
export interface Page {
  destroy(): void;
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
      onclick: () => void waited(made, act),
    },
    words,
  );
  return made;
}

/** Do something that may take a while, with the page telling so. */
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
    say("");
  } catch (error) {
    say(error instanceof Refusal ? error.message : "The page failed. Load it again.");
  } finally {
    owner.removeAttribute("aria-busy");
  }
}

/** Show a sentence where all pages show what went wrong; "" takes it away. */
export function say(words: string): void {
  const place = document.getElementById("ls-app-message");
  if (place) {
    place.textContent = words;
    place.hidden = words === "";
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
    html("caption", {}, caption),
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

/** A moment as people read it: today's by the clock, others by the day. */
export function moment(seconds: number): string {
  const then = new Date(seconds * 1000);
  const isToday = then.toDateString() === new Date().toDateString();
  return isToday
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
}
