/** Fewer centres for the data in brief: the nearest of a class become one (Ward). */

import type { Compressed } from "../scene/scene";

interface Group {
  x: number;
  y: number;
  count: number;
  readonly members: number[];
}

/**
 * Keep a share of the centres of each class, one at least. Of all pairs of a class, the
 * two become one whose joining costs least: n m / (n + m) times their squared distance.
 */
export function mergedCenters(centers: Compressed, share: number): Compressed {
  if (share >= 1) {
    return centers;
  }
  const byClass = new Map<number, Group[]>();
  centers.labels.data.forEach((label, k) => {
    const [x, y] = centers.positions.data.subarray(2 * k, 2 * k + 2);
    const group = { x, y, count: centers.counts.data[k], members: [k] };
    byClass.set(label, [...(byClass.get(label) ?? []), group]);
  });
  const kept = Array.from(byClass, ([label, groups]) =>
    joined(groups, Math.max(1, Math.round(share * groups.length))).map((group) => ({
      ...group,
      label,
    })),
  ).flat();
  const owner = new Uint32Array(centers.labels.data.length);
  kept.forEach(({ members }, k) => {
    for (const member of members) {
      owner[member] = k;
    }
  });
  const n = kept.length;
  return {
    positions: {
      data: Float32Array.from(kept.flatMap(({ x, y }) => [x, y])),
      shape: [n, 2],
    },
    labels: { data: Uint16Array.from(kept, ({ label }) => label), shape: [n] },
    counts: { data: Uint32Array.from(kept, ({ count }) => count), shape: [n] },
    member_of: {
      data: Uint32Array.from(centers.member_of.data, (center) => owner[center]),
      shape: centers.member_of.shape,
    },
  };
}

function joined(groups: readonly Group[], wanted: number): Group[] {
  const left = [...groups];
  while (left.length > wanted) {
    const [i, j] = cheapest(left);
    const [a, b] = [left[i], left[j]];
    const count = a.count + b.count;
    const mean = (u: number, v: number) => (a.count * u + b.count * v) / count;
    left[i] = {
      x: mean(a.x, b.x),
      y: mean(a.y, b.y),
      count,
      members: [...a.members, ...b.members],
    };
    left.splice(j, 1);
  }
  return left;
}

function cheapest(groups: readonly Group[]): [number, number] {
  let best: [number, number] = [0, 1];
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < groups.length; i++) {
    for (let j = i + 1; j < groups.length; j++) {
      const [a, b] = [groups[i], groups[j]];
      const square = (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
      const cost = (a.count * b.count * square) / (a.count + b.count);
      if (cost < least) {
        [best, least] = [[i, j], cost];
      }
    }
  }
  return best;
}
