/** A view of a run inside a page of the app. */

import type { Looking } from "../color/looks";
import { HttpModel, type Server } from "../hosts/http_model";
import { mount } from "../index";
import type { Store } from "../state";
import { html } from "../ui/elements";
import { api } from "./api";
import { appearance } from "./appearance";

// As high as a view reads well; on large screens it takes what the page leaves.
const [LEAST, BELOW] = [540, 24];

export class Stage {
  readonly el = html("div", { class: "ls-app-stage" });
  readonly #id: string;
  readonly #least: number;
  /** Fits the map again to labels that were decided on, where that can be done. */
  refit: Server["refit"];
  #model: HttpModel | null = null;
  #view: ReturnType<typeof mount> | null = null;

  constructor(id: string, least = LEAST) {
    this.#id = id;
    this.#least = least;
  }

  get model(): HttpModel | null {
    return this.#model;
  }

  /** What a person does in the view; null where none is. */
  get store(): Store | null {
    return this.#view?.store() ?? null;
  }

  /** Show a scene in place of what was shown before, with classes that look alike. */
  show(scene: ArrayBuffer, like: Looking | null = null): HttpModel {
    this.clear();
    this.el.replaceChildren();
    const above = this.el.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(this.#least, window.innerHeight - above - BELOW);
    const model = new HttpModel(
      { scene: new DataView(scene), height, theme: appearance.theme },
      { explain: (object) => api.explain(this.#id, object), refit: this.refit },
    );
    appearance.follow(model);
    this.#view = mount({ model, el: this.el, like });
    // The page has a title of its own, which this one stands under.
    this.el.querySelector(".ls-titles h1")?.setAttribute("aria-level", "2");
    this.#model = model;
    return model;
  }

  /** Take the view away. */
  clear(): void {
    this.#view?.stop();
    this.#view = null;
    this.#model = null;
  }
}
