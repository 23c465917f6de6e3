/** Light or dark for all pages: as the system wants it, until a view is turned. */

import { onSystemShade, shadeOf } from "../color/theme";
import type { FrozenModel } from "../hosts/frozen_model";
import type { Theme } from "../state";

class Appearance {
  #el: HTMLElement | null = null;
  #theme: Theme = "auto";

  get theme(): Theme {
    return this.#theme;
  }

  /** Colour an element, now and whenever the system or a person changes it. */
  dress(el: HTMLElement): void {
    this.#el = el;
    this.#shade();
    onSystemShade(() => this.#shade());
  }

  /** Follow the theme button of a view. */
  follow(model: FrozenModel): void {
    model.on("change:theme", () => {
      this.#theme = model.get("theme") as Theme;
      this.#shade();
    });
  }

  #shade(): void {
    if (this.#el) {
      this.#el.dataset.theme = shadeOf(this.#theme);
    }
  }
}

/** The one of this page. */
export const appearance = new Appearance();
