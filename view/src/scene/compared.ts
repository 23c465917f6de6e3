/** Prototypes and points that are compared: their values and distances. */

import { betweenPrototypes, measured, nearestClasses } from "./metric";
import { classOf, objectId, prototypeName } from "./names";
import { weightsOf } from "./neighbors";
import type { Scene, SceneModel } from "./scene";

/** A prototype or a point; the other of the two indices is -1. */
export interface Subject {
  readonly name: string;
  readonly prototype: number;
  readonly object: number;
  /** The value of each feature. */
  readonly values: ArrayLike<number>;
}

interface Chosen {
  readonly prototypes: readonly number[];
  readonly compared: readonly number[];
  readonly object: number | null;
}

/** The selected prototypes, then the compared points or, without these, the open point. */
export function subjectsOf(
  scene: Scene,
  { prototypes, compared, object }: Chosen,
): Subject[] {
  const { model } = scene;
  const open = object === null ? [] : [object];
  const objects = compared.length > 0 ? compared : open;
  return [
    ...(model === null ? [] : prototypes.map((p) => prototypeSubject(scene, model, p))),
    ...objects.map((one) => ({
      name: objectId(scene, one),
      prototype: -1,
      object: one,
      values: scene.features.map(({ values }) => values[one]),
    })),
  ];
}

function prototypeSubject(scene: Scene, model: SceneModel, prototype: number): Subject {
  const d = scene.features.length;
  const { data } = model.prototypes.values;
  return {
    name: prototypeName(scene, model, prototype),
    prototype,
    object: -1,
    values: data.subarray(prototype * d, (prototype + 1) * d),
  };
}

/**
 * The distance of two subjects: by the model, squared if the model compares squares, or in
 * the data if there is no model. NaN if the distance is unknown.
 */
export function distanceBetween(scene: Scene, a: Subject, b: Subject): number {
  const { model } = scene;
  if (a.prototype === b.prototype && a.object === b.object) {
    return 0;
  }
  if (model === null) {
    const weights = weightsOf(scene);
    return weights
      ? Math.hypot(...gaps(a, b).map((gap, j) => gap * weights[j]))
      : Number.NaN;
  }
  if (a.prototype >= 0 && b.prototype >= 0) {
    return betweenPrototypes(model, a.prototype, b.prototype);
  }
  const [subject, prototype] = a.prototype >= 0 ? [b, a] : [a, b];
  if (model.metric?.kind === "local" && prototype.prototype < 0) {
    return Number.NaN; // two points have no common metric if each prototype has its own metric
  }
  return (
    stored(model, subject, prototype) ??
    measured(scene, model, gaps(subject, prototype), prototype.prototype)
  );
}

/** The stored distance of a point from the nearest prototype of a class. */
function stored(
  model: SceneModel,
  { object }: Subject,
  { prototype }: Subject,
): number | null {
  if (prototype < 0) {
    return null;
  }
  const own = classOf(model.prototypes.labels, prototype);
  const near = nearestClasses(model, object).find(({ index }) => index === own);
  return near?.prototype === prototype ? near.distance : null;
}

function gaps(a: Subject, b: Subject): number[] {
  return Array.from(a.values, (value, j) => value - b.values[j]);
}
