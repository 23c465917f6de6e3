/** Mounts a panel or stage in a page, as the view does. */

import type { Context, Stage } from "../src/context";
import type { Asker } from "../src/scene/explanation";
import type { Scene } from "../src/scene/scene";
import { type State, Store } from "../src/state";

export interface Mounted<P> {
  readonly el: HTMLElement;
  readonly store: Store;
  readonly panel: P;
}

export function mounted<P extends object>(
  Kind: new (el: HTMLElement, context: Context) => P,
  scene: Scene,
  state: Partial<State> = {},
  asker: Asker | null = null,
  refit: Context["refit"] = null,
): Mounted<P> {
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  const store = new Store(state);
  const panel = new Kind(el, { scene, store, asker, refit });
  // Panels watch the store by themselves, stages are told.
  store.on((now, before) => (panel as Partial<Stage>).update?.(now, before));
  return { el, store, panel };
}

/** Click what a selector finds. */
export function click(el: HTMLElement, selector: string): void {
  const found = el.querySelector(selector);
  if (found === null) {
    throw new Error(`Nothing matches ${selector} in ${el.innerHTML}`);
  }
  found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

/** `data-value` of all that a selector finds. */
export function values(el: Element, selector: string): number[] {
  return Array.from(el.querySelectorAll(selector), (one) =>
    Number(one.getAttribute("data-value")),
  );
}

/** Where a mark was moved to, in pixels. */
export function place(el: Element | null): number[] {
  const numbers = el?.getAttribute("transform")?.match(/-?[\d.]+/g) ?? [];
  return numbers.map(Number);
}
