/** What an audit says of the points, and what a person decided since. */

import { decided, type State } from "../state";
import type { Scene, SceneSuspect } from "./scene";

/** Asked for in every frame, found once. */
const known = new WeakMap<readonly SceneSuspect[], Map<number, SceneSuspect>>();
const pending = new WeakMap<State["decisions"], [Scene, Uint32Array]>();
const NO_POINTS: readonly SceneSuspect[] = [];

/** The suspects by their points, the most suspicious first. */
export function suspectsOf({ audit }: Scene): ReadonlyMap<number, SceneSuspect> {
  const suspects = audit?.suspects ?? NO_POINTS;
  const found = known.get(suspects) ?? new Map(suspects.map((one) => [one.row, one]));
  known.set(suspects, found);
  return found;
}

/** The suspects, and after them the points to look at though nothing is promised. */
export function questioned(scene: Scene): ReadonlyMap<number, SceneSuspect> {
  const rest = scene.audit?.look_first ?? NO_POINTS;
  return new Map([...suspectsOf(scene), ...rest.map((one) => [one.row, one] as const)]);
}

/** Points whose label seems to be wrong and nobody has decided about, ascending. */
export function undecided(scene: Scene, state: State): Uint32Array {
  const last = pending.get(state.decisions);
  if (last?.[0] === scene) {
    return last[1];
  }
  const done = decided(state);
  const rows = [...suspectsOf(scene).keys()].filter((row) => !done.has(row));
  const found = Uint32Array.from(rows).sort();
  pending.set(state.decisions, [scene, found]);
  return found;
}

/** The suspect, or point of the ranking, that is looked at: the only one chosen. */
export function currentSuspect(
  scene: Scene,
  { selection }: State,
): SceneSuspect | null {
  return selection.length === 1 ? (questioned(scene).get(selection[0]) ?? null) : null;
}

/**
 * The next suspect in the list, `step` 1 ahead or -1 back: of those that nobody has
 * decided about, while there are some. After the last one comes the first.
 */
export function besideSuspect(scene: Scene, state: State, step: 1 | -1): number | null {
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

/** The scene with the labels that were decided on. */
export function relabelled(scene: Scene, state: State): Scene {
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

/** The points of a class, ascending. */
export function pointsOf({ labels }: Scene, ...indices: number[]): Uint32Array {
  const wanted = new Set(indices);
  const all = Uint32Array.from(labels?.data ?? [], (_, i) => i);
  return all.filter((i) => wanted.has(labels?.data[i] ?? -1));
}
