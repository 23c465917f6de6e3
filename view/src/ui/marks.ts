/** Looks of classes in HTML and SVG, marks that can be clicked, and icons. */

import { classPaint } from "../color/colors";
import { clipOf, type Looking, lookOf, SHAPES, shapeOf, shapeOn } from "../color/looks";
import type { Point } from "../geometry/plane";
import { type Attributes, type Child, html, onPress, svg } from "./elements";

/** A swatch of a color; a pale swatch has an edge, as pale bars have. */
export function swatch(color: string, opacity = 1): HTMLElement {
  const share = `${(100 * opacity).toFixed()}%`;
  const style =
    opacity < 1
      ? `background: color-mix(in srgb, ${color} ${share}, transparent); border: 1px solid ${color}`
      : `background: ${color}`;
  return html("i.ls-swatch", { style, "aria-hidden": "true" });
}

/** One of n looks: its color, in its shape. */
export function lookSwatch(look: number, nLooks: number): HTMLElement {
  const mark = swatch(classPaint(look, nLooks));
  const shape = shapeOf(look);
  if (shape > 0) {
    mark.classList.add("ls-shaped");
    mark.dataset.shape = SHAPES[shape];
    mark.style.clipPath = clipOf(shape);
  }
  return mark;
}

/** The look of a class of a scene; gray for no class (-1). */
export function classSwatch(scene: Looking, index: number): HTMLElement {
  return lookSwatch(lookOf(scene, index), scene.classes.length);
}

/** A shape in an SVG drawing. */
export function shapeMark(
  shape: number,
  [x, y]: Point,
  radius: number,
  look: Attributes,
): SVGElement {
  const points = shapeOn(shape, [x, y], radius);
  return points
    ? svg("polygon", { points, ...look })
    : svg("circle", {
        cx: x.toFixed(1),
        cy: y.toFixed(1),
        r: radius.toFixed(1),
        ...look,
      });
}

// Marks of prototypes and points that can be clicked, and reached by keyboard.

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
      onkeydown: onPress(act),
      ...attributes,
    },
    ...children,
  );
}

/** The mark of a prototype: a diamond around the origin. */
export function diamond(radius: number, color: string): SVGPathElement {
  return svg("path.ls-diamond", { d: diamondPath(radius), fill: color });
}

export function diamondPath(radius: number): string {
  const r = radius.toFixed(1);
  return `M0-${r}L${r} 0L0 ${r}L-${r} 0Z`;
}

/** Move a mark to a place. */
export function moveTo(mark: SVGElement, [x, y]: readonly [number, number]): void {
  mark.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

// The icons of the buttons, drawn on 16 by 16 units.

const PATHS = {
  pan: "M8 1.5v13M1.5 8h13M8 1.5 6 3.5M8 1.5l2 2M8 14.5l-2-2M8 14.5l2-2M1.5 8l2-2M1.5 8l2 2M14.5 8l-2-2M14.5 8l-2 2",
  lasso:
    "M5 11.5C2.8 10.8 1.5 9.3 1.5 7.2 1.5 4 4.4 1.8 8 1.8s6.5 2.2 6.5 5.2-2.9 5-6.5 5c-.7 0-1.4-.1-2-.2M6.5 12a1.4 1.4 0 1 1-2.8 0 1.4 1.4 0 0 1 2.8 0ZM4.6 13.2c.5 1-.4 1.6-1.4 1.6",
  box: "M2 4V2h2M7 2h2M12 2h2v2M14 7v2M14 12v2h-2M9 14H7M4 14H2v-2M2 9V7",
  regions: "M2 2h12v12H2ZM2 9c4-3 5 3 12-3M8.6 8.4 9 14",
  density:
    "M2 8.5C2 5 5 2.5 8.5 2.5S14 5 14 8s-2.5 5.5-6 5.5S2 11.5 2 8.5ZM5 8.3C5 6.5 6.5 5.5 8.3 5.5S11 6.7 11 8.2 9.8 10.7 8 10.7 5 9.8 5 8.3Z",
  disc: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM2.2 6c4 2.6 7.6 2.6 11.6 0M6 13.8c2.6-4 2.6-7.6 0-11.6",
  compressed:
    "M5 5.5a2.5 2.5 0 1 0 .1 0ZM11.5 3a1.3 1.3 0 1 0 .1 0ZM11 9.5a2 2 0 1 0 .1 0Z",
  prototypes: "M8 2 14 8 8 14 2 8Z",
  arrows: "M3 13 13 8M10.4 7.2 13 8l-1.2 2.5M3 13 7 2.5M4.6 4.6 7 2.5l.9 3.1",
  together: "M2 2h5v5H2ZM9 2h5v5H9ZM2 9h5v5H2ZM9 9h5v5H9Z",
  home: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  theme: "M8 2a6 6 0 1 0 6 6 4.6 4.6 0 0 1-6-6Z",
  save: "M8 2v8M8 10 5 7M8 10l3-3M2.5 11v2.5h11V11",
  panel: "M2 3h12v10H2ZM10 3v10",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  return svg(
    "svg.ls-icon",
    { viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
