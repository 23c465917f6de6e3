/** The title of a run, which a person can write anew. */

import { html } from "../../ui/elements";
import { actionButton, waited } from "../page_parts";

export class Naming {
  readonly el = html("div", { class: "ls-app-naming" });
  readonly #title = html("h1", { tabindex: -1 });
  readonly #rename: (name: string) => Promise<string>;

  /** `rename` keeps a name and returns how it is kept. */
  constructor(rename: (name: string) => Promise<string>) {
    this.#rename = rename;
    this.el.append(this.#title);
  }

  show(name: string): void {
    this.#title.textContent = name;
    this.#title.title = name;
    if (this.el.isConnected) {
      document.title = `${name} – Labelscape`;
    }
  }

  /** Put a field in place of the title, until it is kept or given up. */
  edit(): void {
    const input = html("input", {
      type: "text",
      maxlength: 200,
      "aria-label": "Name of this run",
      value: this.#title.textContent,
    });
    const back = () => {
      this.el.replaceChildren(this.#title);
      this.#title.focus();
    };
    const keep = html("button", { type: "submit", class: "ls-app-button" }, "Keep");
    const form: HTMLElement = html(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          void waited(keep, async () => {
            const name = input.value.trim();
            this.show(name ? await this.#rename(name) : this.#title.title);
            back();
          });
        },
        onkeydown: (event) => (event as KeyboardEvent).key === "Escape" && back(),
      },
      input,
      keep,
      actionButton("Never mind", back),
    );
    this.el.replaceChildren(form);
    input.select();
  }
}
