/** A message on the stage. */

import { button } from "./button";
import { html } from "./elements";

/** Words over the stage that can be put away. */
export function notice(words: string): HTMLElement {
  const el = html("p", { class: "ls-notice", role: "status" }, words);
  el.append(
    button("×", () => el.remove(), {
      class: null,
      "aria-label": "Close",
      title: "Close",
    }),
  );
  return el;
}
