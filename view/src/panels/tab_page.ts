/** The page of a tab: drawn when it is looked at, and again when its width changes. */

import type { State } from "../state";
import { type Child, html } from "../ui/elements";
import { renew } from "../ui/renew";

type Draw = (state: State, width: number) => readonly Child[];

/** Width of charts before the page is laid out. */
const USUAL_WIDTH = 288;

export class TabPage {
  readonly #el: HTMLElement;
  readonly #draw: Draw;
  readonly #page: HTMLElement;
  readonly #observer: ResizeObserver;
  #state: State;
  #isStale = true;
  #width = 0;

  constructor(el: HTMLElement, state: State, draw: Draw) {
    this.#el = el;
    this.#draw = draw;
    this.#state = state;
    this.#page = html("div", { class: "ls-sheet" });
    el.append(this.#page);
    this.#observer = new ResizeObserver(() => {
      const width = this.#page.clientWidth;
      if (width > 0 && width !== this.#width) {
        this.update(this.#state, true);
      }
    });
    this.#observer.observe(this.#page);
  }

  /** Draw again if what is shown has changed, or as soon as somebody looks. */
  update(state: State, isStale: boolean): void {
    this.#state = state;
    this.#isStale ||= isStale;
    if (!this.#isStale || this.#el.hidden) {
      return;
    }
    this.#isStale = false;
    this.#width = this.#page.clientWidth;
    renew(this.#page, this.#draw(state, this.#width || USUAL_WIDTH));
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#page.remove();
  }
}
