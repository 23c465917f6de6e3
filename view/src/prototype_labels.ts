/** Class names on the map where prototypes are marked: none over a mark. */

import type { Size } from "./camera";
import type { Point } from "./geometry";
import { besideMarks } from "./label_places";
import type { Label } from "./labels";
import type { PrototypeMark } from "./prototype_marks";

/** Lines around prototypes that reach beyond their radius, in pixels. */
const EDGE = 2;

/** Each name beside the prototype of its class that is nearest to where it belongs. */
export function besidePrototypes(
  wanted: readonly { index: number; text: string; at: Point }[],
  prototypes: readonly PrototypeMark[],
  widthOf: (text: string) => number,
  { width, height }: Size,
): Label[] {
  const named = wanted.map(({ index, text, at }) => {
    const mark = nearest(
      prototypes.filter(({ own }) => own === index),
      at,
    );
    const [x, y] = mark?.at ?? at;
    const radius = mark ? mark.radius + EDGE : 0;
    return { x, y, radius, width: widthOf(text) };
  });
  const others = prototypes.map(({ at: [x, y], radius }) => ({
    x,
    y,
    radius,
    width: 0,
  }));
  const places = besideMarks([...named, ...others], width, height);
  return wanted.flatMap(({ index, text }, k) => {
    const place = places[k];
    if (place === null) {
      return [];
    }
    const shift = { start: 0.5, middle: 0, end: -0.5 }[place.anchor] * named[k].width;
    return [{ index, text, x: place.x + shift, y: place.y }];
  });
}

function nearest(marks: readonly PrototypeMark[], [x, y]: Point): PrototypeMark | null {
  const far = ({ at }: PrototypeMark) => Math.hypot(at[0] - x, at[1] - y);
  return marks.reduce<PrototypeMark | null>(
    (best, mark) => (best === null || far(mark) < far(best) ? mark : best),
    null,
  );
}
