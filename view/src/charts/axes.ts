/** The frame of a small chart: round numbers, quiet lines, what the axes mean. */

import { number } from "../scene/words/format";
import { svg } from "../ui/elements";

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

/** An empty chart with two axes, and where values stand in it. */
export function frame(width: number, across: Axis, up: Axis, label: string): Frame {
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom];
  const x = scale(across, left, right);
  const y = scale(up, bottom, top);
  const size = { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` };
  const element = svg(
    "svg",
    { class: "ls-chart", role: "img", "aria-label": label, ...size },
    ...up.ticks.flatMap((value) => [
      svg("line", {
        class: "ls-grid",
        x1: left,
        x2: right,
        y1: y(value),
        y2: y(value),
      }),
      svg(
        "text",
        { class: "ls-tick", x: left - 8, y: y(value) + 4, "text-anchor": "end" },
        number(value),
      ),
    ]),
    ...across.ticks.map((value) =>
      svg(
        "text",
        { class: "ls-tick", x: x(value), y: bottom + 16, "text-anchor": "middle" },
        number(value),
      ),
    ),
    svg("line", { class: "ls-axis", x1: left, x2: right, y1: bottom, y2: bottom }),
    svg("text", { class: "ls-axis-label", x: 0, y: 10 }, up.label),
    svg(
      "text",
      { class: "ls-axis-label", x: right, y: HEIGHT - 4, "text-anchor": "end" },
      across.label,
    ),
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

/** Powers of ten from low to high; 1, 2, 5, 10 ... where there are few of them. */
export function logTicks(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let p = Math.floor(Math.log10(low)); 10 ** p <= high * (1 + 1e-9); p++) {
    powers.push(10 ** p);
  }
  const all = powers.length > 3 ? powers : powers.flatMap((p) => [p, 2 * p, 5 * p]);
  return all.filter((p) => p >= low * (1 - 1e-9) && p <= high * (1 + 1e-9));
}
