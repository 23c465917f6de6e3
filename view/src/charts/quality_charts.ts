/** Charts of the quality of a map: neighborhoods of all sizes, and distances of pairs. */

import { number } from "../format";
import { CHARTS } from "../messages";
import type { Curve, Shepard } from "../scene/scene";
import { drawing, svg } from "../ui/elements";

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly label: string;
  readonly log?: boolean;
}

interface Frame {
  readonly element: SVGSVGElement;
  x(value: number): number;
  y(value: number): number;
}

const HEIGHT = 176;
const MARGIN = { top: 20, right: 12, bottom: 36, left: 40 };
const CENTERED = { "text-anchor": "middle" };
const TO_RIGHT = { "text-anchor": "end" };

/** An empty chart with two axes, and functions that give the positions of values. */
function frame(width: number, across: Axis, up: Axis, label: string): Frame {
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom];
  const x = scale(across, left, right);
  const y = scale(up, bottom, top);
  const element = drawing(
    width,
    HEIGHT,
    { class: "ls-chart", role: "img", "aria-label": label },
    ...up.ticks.flatMap((value) => [
      svg("line.ls-grid", { x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg("text.ls-tick", { x: left - 8, y: y(value) + 4, ...TO_RIGHT }, number(value)),
    ]),
    ...across.ticks.map((value) =>
      svg("text.ls-tick", { x: x(value), y: bottom + 16, ...CENTERED }, number(value)),
    ),
    svg("line.ls-axis", { x1: left, x2: right, y1: bottom, y2: bottom }),
    svg("text.ls-axis-label", { x: 0, y: 10 }, up.label),
    svg("text.ls-axis-label", { x: right, y: HEIGHT - 4, ...TO_RIGHT }, across.label),
  );
  return { element, x, y };
}

function scale(axis: Axis, from: number, to: number): (value: number) => number {
  const place = axis.log ? Math.log : (value: number) => value;
  const span = place(axis.high) - place(axis.low) || 1;
  return (value) => from + ((place(value) - place(axis.low)) / span) * (to - from);
}

/** About `count` round numbers from low to high. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) {
    return [low];
  }
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((part) => part * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Powers of ten from low to high, or 1, 2, 5, 10, … if there are few powers of ten. */
export function logTicks(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let p = Math.floor(Math.log10(low)); 10 ** p <= high * (1 + 1e-9); p++) {
    powers.push(10 ** p);
  }
  const all = powers.length > 3 ? powers : powers.flatMap((p) => [p, 2 * p, 5 * p]);
  return all.filter((p) => p >= low * (1 - 1e-9) && p <= high * (1 + 1e-9));
}

// How well a map preserves neighborhoods of all sizes: R_NX, T and C.

/** R_NX against the neighborhood size, on a logarithmic axis. */
export function rankCurve(curve: Curve, width: number): SVGSVGElement {
  const values = curve.r_nx.data;
  const lowest = values.reduce((a, b) => Math.min(a, b), 0);
  const [low, high] = [lowest < -0.02 ? Math.floor(lowest * 5) / 5 : 0, 1];
  const best = bestKept(curve);
  const chart = frame(
    width,
    sizes(curve),
    { low, high, ticks: ticks(low, high, 4), label: CHARTS.preserved },
    best === null ? CHARTS.noCurve : CHARTS.rankCurve(best),
  );
  line(chart, curve.k.data, values, "ls-curve");
  return chart.element;
}

/** Trustworthiness and continuity for the same sizes; null if unknown. */
export function trustCurves(curve: Curve, width: number): SVGSVGElement | null {
  const [t, c] = [curve.trustworthiness?.data, curve.continuity?.data];
  if (!t?.length || !c?.length) {
    return null;
  }
  const lowest = [...t, ...c].reduce((a, b) => Math.min(a, b), 0.9);
  const low = Math.max(Math.floor(10 * lowest) / 10, 0);
  const ends = [t, c].map((values) => number(values[0]));
  const chart = frame(
    width,
    sizes(curve),
    { low, high: 1, ticks: ticks(low, 1, 4), label: CHARTS.trustAxis },
    CHARTS.trust(ends.join(" and ")),
  );
  line(chart, curve.k.data, t, "ls-curve", "Trustworthiness");
  line(chart, curve.k.data, c, "ls-curve ls-curve-second", "Continuity");
  return chart.element;
}

/** The neighborhoods that the map preserves best, in words; null if unknown. */
export function bestKept({ k, r_nx }: Curve): string | null {
  const [sizes, values] = [k.data, r_nx.data];
  if (values.length === 0) {
    return null;
  }
  const best = values.reduce((at, value, i) => (value > values[at] ? i : at), 0);
  const last = Math.log(Math.max(sizes[sizes.length - 1], 2));
  const share = Math.log(sizes[best]) / last;
  return share < 1 / 3
    ? CHARTS.best.close
    : share < 2 / 3
      ? CHARTS.best.middle
      : CHARTS.best.large;
}

function sizes({ k }: Curve) {
  const [low, high] = [k.data[0] ?? 1, Math.max(k.data[k.data.length - 1] ?? 2, 2)];
  return { low, high, ticks: logTicks(low, high), label: CHARTS.size, log: true };
}

function line(
  { element, x, y }: Frame,
  k: ArrayLike<number>,
  values: Float32Array,
  look: string,
  title = "",
): void {
  const places = Array.from(
    values,
    (value, i) => `${x(k[i]).toFixed(1)} ${y(value).toFixed(1)}`,
  );
  if (places.length > 0) {
    const d = `M${places.join("L")}`;
    element.append(svg("path", { class: look, d }, title ? svg("title", title) : null));
  }
}

// Shepard diagram: distances in the data against distances on the map.

const CELL = 4;
const SHADES = 5;

/** Pairs as shaded cells, so that dense areas remain visible. */
export function shepardDiagram(pairs: Shepard, width: number): SVGSVGElement {
  const across = pairs.original.data;
  const up = pairs.shown.data;
  const [right, top] = [largest(across), largest(up)];
  const chart = frame(
    width,
    { low: 0, high: right, ticks: ticks(0, right, 5), label: CHARTS.inData },
    { low: 0, high: top, ticks: ticks(0, top, 4), label: CHARTS.onMap },
    CHARTS.shepard(across.length),
  );
  const cells = counts(across, up, chart);
  const most = Math.max(1, ...cells.values());
  const paths = Array.from({ length: SHADES }, () => "");
  for (const [place, pairsHere] of cells) {
    // Square roots, so that single pairs are visible next to a thousand.
    const shade = Math.ceil(SHADES * Math.sqrt(pairsHere / most)) - 1;
    paths[shade] += `M${place}h${CELL}v${CELL}h-${CELL}z`;
  }
  chart.element.append(
    ...paths.map((d, i) => svg("path.ls-density", { d, opacity: (i + 1) / SHADES })),
    fitted(across, up, chart, right, top),
  );
  return chart.element;
}

function counts(
  across: Float32Array,
  up: Float32Array,
  { x, y }: Frame,
): Map<string, number> {
  const cells = new Map<string, number>();
  const start = (place: number) => Math.floor(place / CELL) * CELL;
  for (let i = 0; i < across.length; i++) {
    const place = `${start(x(across[i]))} ${start(y(up[i]))}`;
    cells.set(place, (cells.get(place) ?? 0) + 1);
  }
  return cells;
}

/** The line on which all pairs would lie if distances on the map were proportional. */
function fitted(
  across: Float32Array,
  up: Float32Array,
  { x, y }: Frame,
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
  return svg("line.ls-reference", {
    x1: x(0),
    y1: y(0),
    x2: x(end),
    y2: y(slope * end),
  });
}

function largest(values: Float32Array): number {
  return values.reduce((a, b) => Math.max(a, b), 0) || 1;
}
