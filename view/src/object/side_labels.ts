/** Labels in a column left and right of a picture, in the order of what they name. */

interface SideLabel {
  readonly side: "left" | "right";
  /** Middle of the label. */
  readonly y: number;
}

/**
 * Give each point (x, y) a label on its side of the middle, without overlaps.
 *
 * A side that is full hands over what is nearest to the middle. `top` and `bottom` bound
 * the columns; `step` is the height of a label.
 */
export function sideLabels(
  points: readonly (readonly [number, number])[],
  middle: number,
  top: number,
  bottom: number,
  step: number,
): SideLabel[] {
  const most = Math.max(
    Math.ceil(points.length / 2),
    Math.floor((bottom - top) / step),
  );
  const byX = Array.from(points.keys()).sort((a, b) => points[a][0] - points[b][0]);
  const onLeft = points.filter(([x]) => x < middle).length;
  const nLeft = Math.min(Math.max(onLeft, points.length - most), most);
  const labels: SideLabel[] = [];
  for (const side of ["left", "right"] as const) {
    const members = side === "left" ? byX.slice(0, nLeft) : byX.slice(nLeft);
    members.sort((a, b) => points[a][1] - points[b][1]);
    const places = spread(
      members.map((i) => points[i][1]),
      top,
      bottom,
      step,
    );
    members.forEach((i, k) => {
      labels[i] = { side, y: places[k] };
    });
  }
  return labels;
}

/** Ascending places moved apart by at least `step`, as little as that takes. */
export function spread(
  wanted: readonly number[],
  top: number,
  bottom: number,
  step: number,
): number[] {
  const apart = Math.min(step, (bottom - top) / Math.max(wanted.length, 1));
  // Neighbours that touch move as one block, its middle where they want to be on average.
  const blocks: { sum: number; size: number }[] = [];
  const first = ({ sum, size }: { sum: number; size: number }) => {
    const start = sum / size - ((size - 1) * apart) / 2;
    const last = bottom - apart / 2 - (size - 1) * apart;
    return Math.max(Math.min(start, last), top + apart / 2);
  };
  for (const y of wanted) {
    let block = { sum: y, size: 1 };
    for (
      let before = blocks.at(-1);
      before !== undefined && first(before) + before.size * apart > first(block);
      before = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: before.sum + block.sum, size: before.size + block.size };
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    Array.from({ length: block.size }, (_, i) => first(block) + i * apart),
  );
}
