/** The local app: one page at a time, by the address after the `#`, and its help. */

import css from "../css/app.css?inline";
import tokens from "../css/tokens.css?inline";
import { button, html } from "../ui/elements";
import { type LightState, lightMark } from "../ui/lights";
import { ComparePage } from "./compare_page";
import { HomePage } from "./home_page";
import type { Page } from "./page_parts";
import { RunPage } from "./run_page";
import { dress } from "./stage";
import { TablePage } from "./table/table_page";

type Opener = (el: HTMLElement, ids: string, like: string) => Page;

const PAGES: Readonly<Record<string, Opener>> = {
  "": (el) => new HomePage(el),
  table: (el, id, run) => new TablePage(el, id, run),
  run: (el, id) => new RunPage(el, id),
  compare: (el, ids) => new ComparePage(el, ids.split(",")),
};

export class App {
  readonly #hear = () => this.#open();
  readonly #main = html("main", { class: "ls-app-main", tabindex: -1 });
  #page: Page | null = null;

  constructor(el: HTMLElement) {
    const [opener, dialog] = help();
    el.className = "ls-app";
    el.replaceChildren(
      html("style", {}, tokens, css),
      html(
        "header",
        { class: "ls-app-header" },
        html("a", { href: "#/", class: "ls-app-name" }, "Labelscape"),
        html("span", { class: "ls-app-motto" }, "what labels say about data"),
        html(
          "a",
          {
            href: "/api",
            class: "ls-app-reference",
            title: "For programs: what this app can be asked by scripts",
          },
          "API",
        ),
        opener,
      ),
      this.#main,
      dialog,
    );
    dress(el);
    window.addEventListener("hashchange", this.#hear);
    this.#open();
  }

  destroy(): void {
    window.removeEventListener("hashchange", this.#hear);
    this.#page?.destroy();
  }

  #open(): void {
    const [, name = "", ids = "", like = ""] = location.hash.split("/");
    this.#page?.destroy();
    // An element of its own: late answers to a page that was left are not shown.
    const el = html("div", { class: "ls-app-page" });
    this.#main.replaceChildren(el);
    document.title = "Labelscape";
    const open = PAGES[name] ?? PAGES[""];
    this.#page = open?.(el, ids, like) ?? null;
    this.#main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}

// Short help, over whatever page is open: what to do first, the lights, the keys,
// words.

const STEPS: readonly string[] = [
  "Drop a table on the first page, or take one of the examples.",
  "Say which column holds the classes: what you want to see apart.",
  "Press Start. Without a favourite, leave “The best for these data” chosen.",
  "Read the lights above the map first, then the Summary beside it.",
  "Fit another map, tick both in the list, and compare them side by side.",
];

const LIGHTS: readonly [LightState, string][] = [
  ["good", "Good: believe it."],
  ["fair", "Fair: there is something in it; look at the figures."],
  ["bad", "Bad: do not build on it."],
  ["none", "Not tested."],
];

const QUESTIONS: readonly [string, string][] = [
  [
    "Is it real?",
    "Objects that the map has never seen land among their own class, and not by chance.",
  ],
  [
    "How much is kept?",
    "The map shows most of what sets the classes apart in the data.",
  ],
];

const KEYS: readonly [string, string][] = [
  ["Tab", "goes through the page, arrows through cards and tabs"],
  ["Arrows, + and −, 0", "move the map, zoom, and show all of it"],
  ["In three dimensions", "drag and arrows turn it, right button and two fingers move"],
  ["Shift + arrows", "go from point to point; Enter chooses one, and opens it"],
  ["Shift + drag", "draws a line around points to choose them"],
  ["Escape", "puts the choice back"],
  ["N, P, K, R, U", "next and previous suspected label, keep it, change it, undo"],
];

const WORDS: readonly [string, string][] = [
  ["Object", "One row of your table: a patient, a picture, a spectrum."],
  ["Map", "All objects as points of a plane; those that are alike stand together."],
  ["Prototype", "A typical object that stands for a class, or a part of one."],
  ["Suspect", "An object whose label seems to be wrong."],
  ["Island", "A group of points with empty space around it."],
  ["Seed", "Start of the random numbers: the same seed gives the same map."],
];

/** A button that opens the help, and the help. */
export function help(): readonly [HTMLButtonElement, HTMLDialogElement] {
  const dialog: HTMLDialogElement = html(
    "dialog",
    { class: "ls-app-help", "aria-label": "Help" },
    button("Close", () => dialog.close(), { class: "ls-app-button ls-app-help-close" }),
    html("h2", {}, "What to do first"),
    html("ol", {}, ...STEPS.map((words) => html("li", {}, words))),
    html("h2", {}, "What the lights mean"),
    html(
      "ul",
      { class: "ls-app-help-lights" },
      ...LIGHTS.map(([state, words]) => html("li", {}, lightMark(state), words)),
    ),
    list(QUESTIONS),
    html("h2", {}, "Keyboard and mouse"),
    list(KEYS),
    html("h2", {}, "Words"),
    list(WORDS),
  );
  // Beside it, too, a click puts it away.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  const opener = button("?", () => dialog.showModal(), {
    class: "ls-app-button ls-app-help-button",
    "aria-label": "Help",
    title: "Help: what to do first, what the lights mean, keys",
  });
  return [opener, dialog];
}

function list(pairs: readonly (readonly [string, string])[]): HTMLElement {
  return html(
    "dl",
    {},
    ...pairs.flatMap(([name, words]) => [html("dt", {}, name), html("dd", {}, words)]),
  );
}
