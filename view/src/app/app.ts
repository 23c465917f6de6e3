/** The local app: one page at a time, by the address after the `#`. */

import css from "../css/app.css?inline";
import tokens from "../css/tokens.css?inline";
import { html } from "../ui/elements";
import { appearance } from "./appearance";
import { ComparePage } from "./compare_page";
import { help } from "./help";
import { HomePage } from "./home/home_page";
import type { Page } from "./page_parts";
import { RunPage } from "./run/run_page";
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
    appearance.dress(el);
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
    // Of its own: what a page that was left still gets to know, it shows to nobody.
    const el = html("div", { class: "ls-app-page" });
    this.#main.replaceChildren(el);
    document.title = "Labelscape";
    const open = PAGES[name] ?? PAGES[""];
    this.#page = open?.(el, ids, like) ?? null;
    this.#main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}
