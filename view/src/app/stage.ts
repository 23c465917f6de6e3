/** A view of a run inside a page of the app, in light or dark colors. */

import { onSystemShade, shadeOf } from "../color/theme";
import type { Context } from "../context";
import { HttpModel, type Server } from "../hosts/model";
import { render } from "../index";
import { decodeScene, type Scene } from "../scene/scene";
import type { Theme } from "../state";
import { html } from "../ui/elements";
import { api } from "./api";

// The least height of a view, and the height below it that the page needs.
const [LEAST, BELOW] = [540, 24];

export class Stage {
  readonly el = html("div.ls-app-stage");
  /** Fits the map again to corrected labels, if this is possible. */
  refit: Server["refit"];
  /** Other functions that the page offers to the view. */
  helps: Pick<Context, "audit" | "fix"> = {};
  #model: HttpModel | null = null;
  #stop: () => void = () => {};

  /** `id` is the run that explains predictions for points; null if there is none. */
  constructor(private readonly id: string | null) {}

  get model(): HttpModel | null {
    return this.#model;
  }

  /** Show a scene instead of the earlier one. */
  show(
    given: ArrayBuffer | Scene,
    decisions: readonly (readonly [number, string])[] = [],
  ): HttpModel {
    this.clear();
    this.el.replaceChildren();
    const above = this.el.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(LEAST, window.innerHeight - above - BELOW);
    const scene = given instanceof ArrayBuffer ? decodeScene(given) : given;
    const { id } = this;
    const model = new HttpModel(
      { height, theme, decisions: JSON.stringify(decisions), can_ask: id !== null },
      { explain: (object) => api.explain(id ?? "", object), refit: this.refit },
    );
    model.on("change:theme", () => {
      theme = model.get("theme") as Theme;
      shade();
    });
    this.#stop = render({ model, el: this.el, scene, ...this.helps });
    // The page has its own title, so the title of the view has level 2.
    this.el.querySelector(".ls-titles h1")?.setAttribute("aria-level", "2");
    this.#model = model;
    return model;
  }

  /** Remove the view. */
  clear(): void {
    this.#stop();
    this.#stop = () => {};
    this.#model = null;
  }
}

// The theme of all pages: that of the system, until the user switches it in a view.

/** The current theme, and the element that contains the pages. */
let theme: Theme = "auto";
let dressed: HTMLElement | null = null;

/** Set the theme of an element, and update it when the system or the user changes it. */
export function dress(el: HTMLElement): void {
  dressed = el;
  shade();
  onSystemShade(shade);
}

function shade(): void {
  if (dressed) {
    dressed.dataset.theme = shadeOf(theme);
  }
}
