/** A view of a run inside a page of the app, light or dark. */

import { onSystemShade, shadeOf } from "../color/theme";
import type { Context } from "../context";
import { HttpModel, type Server } from "../hosts/model";
import { render } from "../index";
import { decodeScene, type Scene } from "../scene/scene";
import type { Theme } from "../state";
import { html } from "../ui/elements";
import { api } from "./api";

// As high as a view reads well; on large screens it takes what the page leaves.
const [LEAST, BELOW] = [540, 24];

export class Stage {
  readonly el = html("div.ls-app-stage");
  /** Fits the map again to labels that were decided on, where that can be done. */
  refit: Server["refit"];
  /** What else the page does for the view. */
  helps: Pick<Context, "audit" | "fix"> = {};
  #model: HttpModel | null = null;
  #stop: () => void = () => {};

  /** `id` is the run that answers questions about objects; null where none can. */
  constructor(private readonly id: string | null) {}

  get model(): HttpModel | null {
    return this.#model;
  }

  /** Show a scene in place of what was shown before. */
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
    // The page has a title of its own, which this one stands under.
    this.el.querySelector(".ls-titles h1")?.setAttribute("aria-level", "2");
    this.#model = model;
    return model;
  }

  /** Take the view away. */
  clear(): void {
    this.#stop();
    this.#stop = () => {};
    this.#model = null;
  }
}

// Light or dark for all pages: as the system wants it, until a view is turned.

/** What pages look like, and the element that they are in. */
let theme: Theme = "auto";
let dressed: HTMLElement | null = null;

/** Color an element, now and whenever the system or a person changes it. */
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
