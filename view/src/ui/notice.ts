/** A message on the stage. */

import { html } from "./elements";

/** Words over the stage that can be put away. */
export function notice(words: string): HTMLElement {
  const el = html("p", { class: "ls-notice", role: "status" }, words);
  const close = {
    type: "button",
    role: "button",
    "aria-label": "Close",
    onclick: () => el.remove(),
  };
  el.append(html("button", close, "×"));
  return el;
}
