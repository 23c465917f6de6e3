/** What a map keeps of neighbourhoods of each size: R_NX, and T and C. */

import type { Curve } from "../scene/scene";
import { number } from "../scene/words/format";
import { svg } from "../ui/elements";
import { frame, logTicks, ticks } from "./axes";

type Frame = ReturnType<typeof frame>;

/** R_NX over the neighbourhood size on a logarithmic axis. */
export function rankCurve(curve: Curve, width: number): SVGSVGElement {
  const values = curve.r_nx.data;
  const lowest = values.reduce((a, b) => Math.min(a, b), 0);
  const [low, high] = [lowest < -0.02 ? Math.floor(lowest * 5) / 5 : 0, 1];
  const kept = bestKept(curve);
  const chart = frame(
    width,
    sizes(curve),
    { low, high, ticks: ticks(low, high, 4), label: "kept (R_NX; 0 is chance)" },
    kept === null ? "No curve" : `Neighbourhoods kept, R_NX. ${kept}`,
  );
  line(chart, curve.k.data, values, "ls-curve");
  return chart.element;
}

/** Trustworthiness and continuity over the same sizes; null where they are not known. */
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
    { low, high: 1, ticks: ticks(low, 1, 4), label: "T (line) and C (dashes)" },
    `Trustworthiness and continuity; of one neighbour, ${ends.join(" and ")}`,
  );
  line(chart, curve.k.data, t, "ls-curve", "Trustworthiness");
  line(chart, curve.k.data, c, "ls-curve ls-curve-second", "Continuity");
  return chart.element;
}

/** Which neighbourhoods the map keeps best, in words; null where nothing is known. */
export function bestKept({ k, r_nx }: Curve): string | null {
  const [sizes, values] = [k.data, r_nx.data];
  if (values.length === 0) {
    return null;
  }
  const best = values.reduce((at, value, i) => (value > values[at] ? i : at), 0);
  const last = Math.log(Math.max(sizes[sizes.length - 1], 2));
  const share = Math.log(sizes[best]) / last;
  return share < 1 / 3
    ? "Close neighbours are kept best."
    : share < 2 / 3
      ? "Neighbourhoods of middle size are kept best."
      : "Large neighbourhoods are kept best: the rough layout more than who is next to whom.";
}

function sizes({ k }: Curve) {
  const [first, last] = [k.data[0] ?? 1, Math.max(k.data[k.data.length - 1] ?? 2, 2)];
  return {
    low: first,
    high: last,
    ticks: logTicks(first, last),
    label: "size of the neighbourhood",
    log: true,
  };
}

function line(
  chart: Frame,
  k: ArrayLike<number>,
  values: Float32Array,
  look: string,
  title = "",
): void {
  const places = Array.from(
    values,
    (value, i) => `${chart.x(k[i]).toFixed(1)} ${chart.y(value).toFixed(1)}`,
  );
  if (places.length > 0) {
    chart.element.append(
      svg(
        "path",
        { class: look, d: `M${places.join("L")}` },
        title ? svg("title", {}, title) : null,
      ),
    );
  }
}
