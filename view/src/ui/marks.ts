/** Small marks of a colour, and of classes in their shapes. */

import { classPaint } from "../color/colors";
import { type Looking, lookOf } from "../color/looks";
import { clipOf, SHAPES, shapeOf, shapeOn } from "../color/shapes";
import type { Point } from "../map/geometry";
import { type Attributes, html, svg } from "./elements";

/** A spot of a colour; a light one has an edge, as light bars have. */
export function swatch(color: string, opacity = 1): HTMLElement {
  const share = `${(100 * opacity).toFixed()}%`;
  const style =
    opacity < 1
      ? `background: color-mix(in srgb, ${color} ${share}, transparent); border: 1px solid ${color}`
      : `background: ${color}`;
  return html("i", { class: "ls-swatch", style, "aria-hidden": "true" });
}

/** A look among so many: its colour, in its shape. */
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

/** A class of a scene, as its points look; grey for none (-1). */
export function classSwatch(scene: Looking, index: number): HTMLElement {
  return lookSwatch(lookOf(scene, index), scene.classes.length);
}

/** A shape in a drawing. */
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
