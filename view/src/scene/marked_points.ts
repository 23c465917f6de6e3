/** Marked points: suspects, reviewed points, held-out points, and contradictions. */

import { decided, type Reviewed } from "./decisions";
import { once, type Scene, type SceneMap, type Suspect } from "./scene";

interface Selected {
  readonly selection: Uint32Array;
}

/** Used in every frame, so the result is stored. */
const pending = new WeakMap<Reviewed["decisions"], [Scene, Uint32Array]>();

/** The suspects by their points, the most suspicious first. */
export const suspectsOf = once(
  ({ audit }: Scene): ReadonlyMap<number, Suspect> =>
    new Map(audit?.suspects.map((one) => [one.row, one])),
);

/** The suspects, and then further points worth checking, without a limit on false alarms. */
export function questioned(scene: Scene): ReadonlyMap<number, Suspect> {
  const rest = scene.audit?.look_first ?? [];
  return new Map([...suspectsOf(scene), ...rest.map((one) => [one.row, one] as const)]);
}

/** Points whose label looks wrong and was not reviewed, ascending. */
export function undecided(scene: Scene, state: Reviewed): Uint32Array {
  const last = pending.get(state.decisions);
  if (last?.[0] === scene) {
    return last[1];
  }
  const done = decided(state);
  const rows = [...suspectsOf(scene).keys()].filter((row) => !done.has(row));
  const open = Uint32Array.from(rows).sort();
  pending.set(state.decisions, [scene, open]);
  return open;
}

/** The current suspect, or point of the ranking, if it is the only selected point. */
export function currentSuspect(scene: Scene, { selection }: Selected): Suspect | null {
  return selection.length === 1 ? (questioned(scene).get(selection[0]) ?? null) : null;
}

/**
 * The next suspect in the list, `step` 1 forward or -1 back: among the suspects that are not
 * reviewed, as long as there are any. The first suspect follows the last.
 */
export function besideSuspect(
  scene: Scene,
  state: Reviewed & Selected,
  step: 1 | -1,
): number | null {
  const rows = [...questioned(scene).keys()];
  const done = decided(state);
  const open = rows.filter((row) => !done.has(row));
  const here = currentSuspect(scene, state)?.row ?? null;
  const wanted = new Set(open.length > 0 ? open : rows);
  const start = here === null ? (step === 1 ? -1 : rows.length) : rows.indexOf(here);
  for (let k = 1; k <= rows.length; k++) {
    const row = rows[(start + k * step + rows.length * 2) % rows.length];
    if (wanted.has(row)) {
      return row;
    }
  }
  return null;
}

/** The scene with the corrected labels. */
export function relabeled(scene: Scene, state: Reviewed): Scene {
  const { labels, classes } = scene;
  if (state.decisions.length === 0 || labels === null) {
    return scene;
  }
  const data = labels.data.slice();
  for (const [row, label] of decided(state)) {
    if (classes[data[row]] !== label) {
      data[row] = classes.indexOf(label);
    }
  }
  return { ...scene, labels: { ...labels, data } };
}

/** The points of some classes, ascending. */
export function pointsOf({ labels }: Scene, ...indices: number[]): Uint32Array {
  const wanted = new Set(indices);
  const all = Uint32Array.from(labels?.data ?? [], (_, i) => i);
  return all.filter((i) => wanted.has(labels?.data[i] ?? -1));
}

/** The largest share of the points that may have rings. */
const MOST_RINGED = 0.1;
const NONE = new Uint32Array();

/** Points in the region of a class other than their predicted class, ascending. */
export const contradictions = once((map: SceneMap) =>
  marked(map.regions?.contradicts?.data),
);

/** Contradictions with rings: none if there are so many that rings would hide the map. */
export function ringed(map: SceneMap): Uint32Array {
  const wrong = contradictions(map);
  const n = map.positions.data.length / 2;
  return wrong.length > MOST_RINGED * n ? NONE : wrong;
}

/** Points to which the map or classifier was not fitted, ascending. */
export const heldOut = once((scene: Scene) => marked(scene.held_out?.data));

/** The indices of all marks that are not 0. */
function marked(marks: Uint8Array = new Uint8Array()): Uint32Array {
  return Uint32Array.from(marks, (_, i) => i).filter((i) => marks[i] !== 0);
}
