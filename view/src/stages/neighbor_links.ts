/** The object on the map, linked to its nearest neighbours in the data. */

import type { Point } from "../map/geometry";
import { type Links, linksOf, NO_LINKS } from "../map/marks/links";
import { HIDDEN } from "../map/painting/points";
import type { Projection } from "../map/projection";
import { measuresOf, neighborsOf } from "../scene/neighbors";
import type { Scene } from "../scene/scene";
import { areLinked, measureOf, type State } from "../state";

/** The object and those of its neighbours that are not hidden; none where nobody asked. */
export function linkedPoints(scene: Scene, state: State, states: Uint8Array): number[] {
  const measures = measuresOf(scene);
  const { object } = state;
  if (!areLinked(state) || object === null || measures.length === 0) {
    return [];
  }
  const near = neighborsOf(scene, object, measureOf(state, measures));
  const shown = near.filter(({ point }) => states[point] !== HIDDEN);
  return [object, ...shown.map(({ point }) => point)];
}

/** Lines from the first of some points to the others, with rings of a radius. */
export function neighborLinks(
  projection: Projection,
  positions: ArrayLike<number>,
  linked: readonly number[],
  radius: number,
): Links {
  return linked.length > 0 ? linksOf(projection, positions, linked, radius) : NO_LINKS;
}

/** Whether some of what is linked lies off the stage. */
export function areOff({ rings }: Links, { size }: Projection): boolean {
  const { width, height } = size;
  const isOff = ([x, y]: Point) => x < 0 || y < 0 || x > width || y > height;
  return rings.some(({ at }) => isOff(at));
}
