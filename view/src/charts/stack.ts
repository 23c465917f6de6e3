/** One bar, cut into shares. */

import { counted, percent } from "../scene/words/format";
import { svg } from "../ui/elements";

interface Share {
  readonly name: string;
  readonly count: number;
  readonly color: string;
}

const HEIGHT = 12;

/** Shares side by side, with hairs between them. */
export function stackedBar(
  shares: readonly Share[],
  width: number,
  label: string,
): SVGSVGElement {
  const total = shares.reduce((sum, share) => sum + share.count, 0) || 1;
  const size = { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` };
  const root = svg("svg", {
    class: "ls-chart",
    role: "list",
    "aria-label": label,
    ...size,
  });
  let x = 0;
  for (const { name, count, color } of shares) {
    const part = (count / total) * width;
    const words = `${name}: ${counted(count, "point")}, ${percent(count / total)}`;
    root.append(
      svg(
        "rect",
        {
          role: "listitem",
          "aria-label": words,
          "data-value": count,
          x,
          y: 0,
          width: Math.max(part - 1, Math.min(part, 0.5)),
          height: HEIGHT,
          fill: color,
        },
        svg("title", {}, words),
      ),
    );
    x += part;
  }
  return root;
}
