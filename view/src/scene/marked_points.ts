/** Points that are marked: held out of the fit, or shown as something else. */

import type { Scene, SceneMap } from "./scene";

/** The share of the points that have rings at most. */
const MOST_RINGED = 0.1;
const NO_POINTS = new Uint32Array();

/** Asked for in every frame, found once. */
const known = new WeakMap<SceneMap | Scene, Uint32Array>();

/** Points that lie in a region of another answer than the classifier's, ascending. */
export function contradictions(map: SceneMap): Uint32Array {
  return once(map, map.regions?.contradicts?.data);
}

/** Those of them that have rings: none where they are so many that rings hide the map. */
export function ringed(map: SceneMap): Uint32Array {
  const found = contradictions(map);
  const n = map.positions.data.length / 2;
  return found.length > MOST_RINGED * n ? NO_POINTS : found;
}

/** Points that the map or classifier was not fitted to, ascending. */
export function heldOut(scene: Scene): Uint32Array {
  return once(scene, scene.held_out?.data);
}

function once(owner: SceneMap | Scene, marks: Uint8Array | undefined): Uint32Array {
  const found = known.get(owner) ?? marked(marks ?? new Uint8Array());
  known.set(owner, found);
  return found;
}

/** The places at which something else than 0 stands. */
function marked(marks: Uint8Array): Uint32Array {
  return Uint32Array.from(marks, (_, i) => i).filter((i) => marks[i] !== 0);
}
