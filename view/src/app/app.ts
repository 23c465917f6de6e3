/** The local app: shows the page whose address is after the `#`, and the help. */

import css from "../css/app.css?inline";
import tokens from "../css/tokens.css?inline";
import { button, html } from "../ui/elements";
import { lightMark } from "../ui/lights";
import { ComparePage } from "./compare_page";
import { HomePage } from "./home_page";
import { APP, HELP } from "./messages";
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
  readonly #main = html("main.ls-app-main", { tabindex: -1 });
  #page: Page | null = null;

  constructor(el: HTMLElement) {
    const [opener, dialog] = help();
    el.className = "ls-app";
    el.replaceChildren(
      html("style", tokens, css),
      html(
        "header.ls-app-header",
        html("a", { href: "#/", class: "ls-app-name" }, "Labelscape"),
        html("span.ls-app-motto", APP.motto),
        html("a", { href: "/api", class: "ls-app-reference", title: APP.api }, "API"),
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
    // A new element for each page, so that late answers do not change another page.
    const el = html("div.ls-app-page");
    this.#main.replaceChildren(el);
    document.title = "Labelscape";
    const open = PAGES[name] ?? PAGES[""];
    this.#page = open?.(el, ids, like) ?? null;
    this.#main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}

// Short help in a dialog above the open page.

/** Return a button that opens the help, and the help. */
export function help(): readonly [HTMLButtonElement, HTMLDialogElement] {
  const dialog: HTMLDialogElement = html(
    "dialog.ls-app-help",
    { "aria-label": "Help" },
    button("Close", () => dialog.close(), { class: "ls-app-button ls-app-help-close" }),
    html("h2", HELP.first),
    html("ol", ...HELP.steps.map((words) => html("li", words))),
    html("h2", HELP.results),
    html(
      "ul.ls-app-help-lights",
      ...HELP.lights.map(([state, words]) => html("li", lightMark(state), words)),
    ),
    list(HELP.questions),
    html("h2", HELP.keyboard),
    list(HELP.keys),
    html("h2", HELP.words),
    list(HELP.terms),
  );
  // A click outside the dialog also closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  const opener = button("?", () => dialog.showModal(), {
    class: "ls-app-button ls-app-help-button",
    "aria-label": "Help",
    title: HELP.open,
  });
  return [opener, dialog];
}

function list(pairs: readonly (readonly string[])[]): HTMLElement {
  return html(
    "dl",
    ...pairs.flatMap(([name, words]) => [html("dt", name), html("dd", words)]),
  );
}
