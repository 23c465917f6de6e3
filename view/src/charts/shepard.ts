/** Shepard diagram: distances in the data against distances on the map. */

import type { Shepard } from "../scene/scene";
import { counted } from "../scene/words/format";
import { svg } from "../ui/elements";
import { frame, ticks } from "./axes";

const CELL = 4;
const SHADES = 5;

/** Pairs as shaded cells: many pairs in one place stay visible as many. */
export function shepardDiagram(pairs: Shepard, width: number): SVGSVGElement {
  const across = pairs.original.data;
  const up = pairs.shown.data;
  const [right, top] = [largest(across), largest(up)];
  const chart = frame(
    width,
    { low: 0, high: right, ticks: ticks(0, right, 5), label: "distance in the data" },
    { low: 0, high: top, ticks: ticks(0, top, 4), label: "distance on the map" },
    `Shepard diagram of ${counted(across.length, "pair")}`,
  );
  const cells = counts(across, up, chart);
  const most = Math.max(1, ...cells.values());
  const paths = Array.from({ length: SHADES }, () => "");
  for (const [place, pairsHere] of cells) {
    // Square roots, so that single pairs are seen beside a thousand.
    const shade = Math.ceil(SHADES * Math.sqrt(pairsHere / most)) - 1;
    paths[shade] += `M${place}h${CELL}v${CELL}h-${CELL}z`;
  }
  chart.element.append(
    ...paths.map((d, i) =>
      svg("path", { class: "ls-density", d, opacity: (i + 1) / SHADES }),
    ),
    fitted(across, up, chart, right, top),
  );
  return chart.element;
}

function counts(
  across: Float32Array,
  up: Float32Array,
  chart: { x(value: number): number; y(value: number): number },
): Map<string, number> {
  const cells = new Map<string, number>();
  const start = (place: number) => Math.floor(place / CELL) * CELL;
  for (let i = 0; i < across.length; i++) {
    const place = `${start(chart.x(across[i]))} ${start(chart.y(up[i]))}`;
    cells.set(place, (cells.get(place) ?? 0) + 1);
  }
  return cells;
}

/** The line on which all pairs would lie if the map kept distances in proportion. */
function fitted(
  across: Float32Array,
  up: Float32Array,
  chart: { x(value: number): number; y(value: number): number },
  right: number,
  top: number,
): SVGElement {
  let [products, squares] = [0, 0];
  for (let i = 0; i < across.length; i++) {
    products += across[i] * up[i];
    squares += across[i] * across[i];
  }
  const slope = squares > 0 ? products / squares : 0;
  const end = slope * right > top ? top / slope : right;
  return svg("line", {
    class: "ls-reference",
    x1: chart.x(0),
    y1: chart.y(0),
    x2: chart.x(end),
    y2: chart.y(slope * end),
  });
}

function largest(values: Float32Array): number {
  return values.reduce((a, b) => Math.max(a, b), 0) || 1;
}
