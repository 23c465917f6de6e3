/** R_NX: how well neighbourhoods of each size are kept. */

import { count, number } from "../scene/format";
import type { Curve } from "../scene/scene";
import { svg } from "../ui/elements";
import { frame, logTicks, ticks } from "./axes";

/** The curve over the neighbourhood size on a logarithmic axis. */
export function rankCurve(curve: Curve, width: number): SVGSVGElement {
  const k = curve.k.data;
  const values = curve.r_nx.data;
  const best = values.reduce((at, value, i) => (value > values[at] ? i : at), 0);
  const lowest = values.reduce((a, b) => Math.min(a, b), 0);
  const [low, high] = [lowest < -0.02 ? Math.floor(lowest * 5) / 5 : 0, 1];
  const [first, last] = [k[0] ?? 1, Math.max(k[k.length - 1] ?? 2, 2)];
  const words =
    k.length === 0
      ? "No curve"
      : `Neighbourhoods kept, R_NX: best ${number(values[best])} at ${count(k[best])} neighbours`;
  const chart = frame(
    width,
    {
      low: first,
      high: last,
      ticks: logTicks(first, last),
      label: "size of the neighbourhood",
      log: true,
    },
    { low, high, ticks: ticks(low, high, 4), label: "kept (R_NX; 0 is chance)" },
    words,
  );
  const places = Array.from(
    values,
    (value, i) => `${chart.x(k[i]).toFixed(1)} ${chart.y(value).toFixed(1)}`,
  );
  if (places.length > 0) {
    const [x, y] = [chart.x(k[best]), chart.y(values[best])];
    const anchor = x > 0.7 * width ? "end" : x < 0.3 * width ? "start" : "middle";
    chart.element.append(
      svg("path", { class: "ls-curve", d: `M${places.join("L")}` }),
      svg("circle", { class: "ls-curve-mark", cx: x, cy: y, r: 3 }),
      svg(
        "text",
        { class: "ls-value", x, y: Math.max(y - 8, 12), "text-anchor": anchor },
        `${values[best].toFixed(2)} at ${count(k[best])}`,
      ),
    );
  }
  return chart.element;
}
