/** A button that opens a list of choices; long lists have a search box. */

import type { Choice } from "../color/coloring";
import { MENU } from "../messages";
import { shortened } from "../scene/names";
import { button, html } from "./elements";

/** Lists with more entries have a search box. */
const LONG = 10;
/** Maximum number of entries shown; more entries would be slow. */
const MOST = 300;
const LONGEST_NAME = 26;

export class Menu {
  readonly el: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #chosen = html("span.ls-menu-chosen");
  readonly #list = html("div.ls-options", { role: "listbox" });
  readonly #search: HTMLInputElement;
  readonly #popup: HTMLElement;
  readonly #onChoose: (value: string) => void;
  #choices: readonly Choice[] = [];
  #value = "";

  constructor(label: string, onChoose: (value: string) => void) {
    this.#onChoose = onChoose;
    this.#button = button(this.#chosen, () => this.#toggle(), {
      class: "ls-button ls-menu-button",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": label,
    });
    this.#search = html("input", {
      type: "search",
      placeholder: "Search",
      "aria-label": MENU.search(label),
      oninput: () => this.#fill(),
    });
    this.#popup = html("div.ls-popup", { hidden: true }, this.#search, this.#list);
    this.#list.setAttribute("aria-label", label);
    this.el = html(
      "div.ls-menu",
      {
        onkeydown: (event) => this.#onKey(event as KeyboardEvent),
        onfocusout: (event) => {
          if (!this.el.contains((event as FocusEvent).relatedTarget as Node | null)) {
            this.#close();
          }
        },
      },
      html("span.ls-menu-label", label),
      this.#button,
      this.#popup,
    );
  }

  update(choices: readonly Choice[], value: string): void {
    this.#choices = choices;
    this.#value = value;
    const chosen = choices.find((choice) => choice.value === value) ?? choices[0];
    this.#chosen.textContent = shortened(chosen?.words ?? "", LONGEST_NAME);
    this.#button.dataset.value = chosen?.value;
    this.#search.hidden = choices.length <= LONG;
    if (!this.#popup.hidden) {
      this.#fill();
    }
  }

  #toggle(): void {
    if (this.#popup.hidden) {
      this.#popup.hidden = false;
      this.#button.setAttribute("aria-expanded", "true");
      this.#search.value = "";
      this.#fill();
      const chosen = this.#list.querySelector<HTMLElement>("[aria-selected=true]");
      (this.#search.hidden ? chosen : this.#search)?.focus();
    } else {
      this.#close();
    }
  }

  #close(): void {
    this.#popup.hidden = true;
    this.#button.setAttribute("aria-expanded", "false");
  }

  #fill(): void {
    const wanted = this.#search.value.trim().toLowerCase();
    const matching = this.#choices.filter(({ words }) =>
      words.toLowerCase().includes(wanted),
    );
    const options = matching.slice(0, MOST).map(({ value, words }) =>
      button(words, () => this.#choose(value), {
        role: "option",
        class: "ls-option",
        "aria-selected": String(value === this.#value),
        "data-value": value,
        title: words,
      }),
    );
    const more = matching.length - options.length;
    const words = more ? MENU.more(more) : "";
    const note = options.length > 0 ? words : MENU.none;
    this.#list.replaceChildren(...options, ...(note ? [html("p.ls-note", note)] : []));
  }

  #choose(value: string): void {
    this.#close();
    this.#button.focus();
    this.#onChoose(value);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && !this.#popup.hidden) {
      event.stopPropagation();
      this.#close();
      this.#button.focus();
      return;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") {
      return;
    }
    event.preventDefault();
    if (this.#popup.hidden) {
      // Choose the next entry without opening the list, as in browsers.
      const step = event.key === "ArrowDown" ? 1 : -1;
      const now = this.#choices.findIndex(({ value }) => value === this.#value);
      const next = this.#choices[now + step];
      if (next) {
        this.#onChoose(next.value);
      }
      return;
    }
    const options = [...this.#list.querySelectorAll<HTMLElement>("[role=option]")];
    const now = options.indexOf(document.activeElement as HTMLElement);
    const next = event.key === "ArrowDown" ? now + 1 : Math.max(now - 1, 0);
    options[Math.min(next, options.length - 1)]?.focus();
  }
}
