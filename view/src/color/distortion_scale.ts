/** Where the scale of a distortion ends: most shares are far from one. */

import type { Scene } from "../scene/scene";

type Distortion = "false_neighbours" | "tears";

/** The share of points that are told apart; the others have the end colour. */
const MOST = 0.98;
/** Ends are multiples of one by this. */
const STEPS = 20;
/** Points of a map that are looked at. */
const ENOUGH = 5000;

/** Asked for in every frame, found once. */
const known = new WeakMap<Scene, Partial<Record<Distortion, number>>>();

/** One end for all maps of a scene, so that they can be compared. */
export function scaleEnd(scene: Scene, kind: Distortion): number {
  const ends = known.get(scene) ?? {};
  known.set(scene, ends);
  ends[kind] ??= Math.max(
    ...scene.maps.map(({ distortion }) => mostOf(distortion?.[kind].data ?? [])),
  );
  return ends[kind];
}

/** What all but a few of some shares are below, rounded up. */
function mostOf(shares: ArrayLike<number>): number {
  const step = Math.max(1, Math.floor(shares.length / ENOUGH));
  const some = Array.from(
    { length: Math.ceil(shares.length / step) },
    (_, k) => shares[k * step],
  ).sort((a, b) => a - b);
  const most = some[Math.floor(MOST * (some.length - 1))] ?? 0;
  return Math.min(Math.max(Math.ceil(most * STEPS), 1) / STEPS, 1);
}
