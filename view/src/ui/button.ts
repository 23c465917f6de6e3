/** A button, for view and app. */

import { type Attributes, type Child, html } from "./elements";

type ButtonAttributes = Attributes & {
  /** Finds the button again after its page was drawn anew; see `renew`. */
  readonly key?: string;
};

export function button(
  shown: Child | readonly Child[],
  onclick: (event: Event) => void,
  { key, ...attributes }: ButtonAttributes = {},
): HTMLButtonElement {
  return html(
    "button",
    { type: "button", class: "ls-button", "data-key": key, onclick, ...attributes },
    ...(Array.isArray(shown) ? shown : [shown]),
  );
}
