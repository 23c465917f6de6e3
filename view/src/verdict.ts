/** How far to believe the picture, in words, on the picture itself. */

import { html } from "./elements";
import type { Context, Panel } from "./panel";
import type { State } from "./state";

const CENTRES = "Centres found inside each class, placed by their distances alone.";

export class VerdictStrip implements Panel {
  readonly #el: HTMLElement;
  readonly #context: Context;

  constructor(el: HTMLElement, context: Context) {
    this.#el = el;
    this.#context = context;
    this.#fill(context.store.state);
  }

  update(state: State, before: State): void {
    const names = ["map", "level", "compressed"] as const;
    if (names.some((name) => state[name] !== before[name])) {
      this.#fill(state);
    }
  }

  destroy(): void {}

  #fill({ map, level, compressed }: State): void {
    const { honesty, words, name } = this.#context.scene.maps[map];
    const { model } = this.#context.scene;
    if (level !== "data") {
      this.#el.replaceChildren(html("p", {}, model?.words ?? ""));
      return;
    }
    if (compressed && model?.compressed) {
      this.#el.replaceChildren(html("p", {}, CENTRES));
      return;
    }
    const about = html("p", { class: "ls-about" }, `${name}: ${words}`);
    if (!honesty) {
      this.#el.replaceChildren(about);
      return;
    }
    const mark = html("i", {
      class: "ls-honesty",
      "data-honesty": honesty.level,
      "aria-hidden": "true",
    });
    this.#el.replaceChildren(html("p", {}, mark, honesty.verdict), about);
  }
}
