/** The local app: one page at a time, by the address after the `#`. */

import { html } from "../elements";
import tokens from "../tokens.css?inline";
import css from "./app.css?inline";
import { appearance } from "./appearance";
import { ComparePage } from "./compare";
import { HomePage } from "./home";
import type { Page } from "./page";
import { RunPage } from "./run";
import { TablePage } from "./table";

type Opener = (el: HTMLElement, ids: string) => Page;

const PAGES: Readonly<Record<string, Opener>> = {
  "": (el) => new HomePage(el),
  table: (el, id) => new TablePage(el, id),
  run: (el, id) => new RunPage(el, id),
  compare: (el, ids) => new ComparePage(el, ids.split(",")),
};

class App {
  readonly #main = html("main", { class: "ls-app-main", tabindex: -1 });
  #page: Page | null = null;

  constructor(el: HTMLElement) {
    el.className = "ls-app";
    el.replaceChildren(
      html("style", {}, tokens, css),
      html(
        "header",
        { class: "ls-app-header" },
        html("a", { href: "#/", class: "ls-app-name" }, "Labelscape"),
        html("span", { class: "ls-app-motto" }, "what labels say about data"),
        html("a", { href: "/api", class: "ls-app-reference" }, "API"),
      ),
      this.#main,
    );
    appearance.dress(el);
    window.addEventListener("hashchange", () => this.#open());
    this.#open();
  }

  #open(): void {
    const [, name = "", ids = ""] = location.hash.split("/");
    this.#page?.destroy();
    this.#main.replaceChildren();
    document.title = "Labelscape";
    const open = PAGES[name] ?? PAGES[""];
    this.#page = open?.(this.#main, ids) ?? null;
    this.#main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}

/** The link of `labelscape serve DATA` names a table before the `#`, which cookies survive. */
function openNamedTable(): void {
  const table = new URLSearchParams(location.search).get("table");
  if (table !== null) {
    history.replaceState(null, "", `/#/table/${encodeURIComponent(table)}`);
  }
}

openNamedTable();
new App(document.getElementById("labelscape") ?? document.body);
