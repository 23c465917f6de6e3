/** Marks of prototypes and objects that are clicked, and reached by keyboard. */

import { type Attributes, type Child, svg } from "../../ui/elements";

/** A group that acts like a button: click, Enter or Space. */
export function clickable(
  act: (event: Event) => void,
  label: string,
  attributes: Attributes,
  ...children: Child[]
): SVGGElement {
  return svg(
    "g",
    {
      role: "button",
      tabindex: 0,
      "aria-label": label,
      onclick: act,
      onkeydown: (event) => {
        const { key } = event as KeyboardEvent;
        if (key === "Enter" || key === " ") {
          event.preventDefault();
          event.stopPropagation();
          act(event);
        }
      },
      ...attributes,
    },
    ...children,
  );
}

/** The mark of a prototype: a diamond around the origin. */
export function diamond(radius: number, color: string): SVGPathElement {
  return svg("path", { class: "ls-diamond", d: diamondPath(radius), fill: color });
}

export function diamondPath(radius: number): string {
  const r = radius.toFixed(1);
  return `M0-${r}L${r} 0L0 ${r}L-${r} 0Z`;
}

/** Put a mark somewhere. */
export function moveTo(mark: SVGElement, [x, y]: readonly [number, number]): void {
  mark.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}
