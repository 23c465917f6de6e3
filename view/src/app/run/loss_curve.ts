/** How the loss falls while a map forms. */

import { svg } from "../../ui/elements";

const [WIDTH, HEIGHT, MARGIN] = [320, 72, 4];

/** A small curve of at least two values; the numbers stand in its description. */
export function lossCurve(values: readonly number[]): SVGSVGElement {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (k: number) => MARGIN + (k * (WIDTH - 2 * MARGIN)) / (values.length - 1);
  const y = (value: number) =>
    HEIGHT -
    MARGIN -
    ((value - low) * (HEIGHT - 2 * MARGIN)) / (high - low || Math.abs(high) || 1);
  const points = values.map((value, k) => `${x(k).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values[values.length - 1] ?? Number.NaN;
  const words = `Loss so far, now ${last.toPrecision(4)}`;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      "aria-label": words,
    },
    svg("title", {}, words),
    svg("polyline", { points: points.join(" "), fill: "none" }),
  );
}
