/** Drawing a part of a page anew, for view and app. */

import type { Child } from "./elements";

/**
 * Put new children in place of the old. Who uses the keyboard stays where they were, by
 * the `data-key` of what had the focus; what is gone leaves the focus to the title.
 */
export function renew(el: HTMLElement, children: readonly Child[]): void {
  const focused = el.ownerDocument.activeElement;
  const key = el.contains(focused) ? focused?.getAttribute("data-key") : undefined;
  el.replaceChildren(...children.filter((child) => child !== null));
  if (key === undefined) {
    return;
  }
  const same = key && el.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (same) {
    same.focus({ preventScroll: true });
  } else {
    el.querySelector<HTMLElement>("h2[tabindex]")?.focus();
  }
}
