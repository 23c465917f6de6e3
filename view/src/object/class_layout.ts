/**
 * The map of classes by other weights than the scene's. Mirror of `class_layout` in
 * `embeddings/weighted_mds/levels.py`, from the picture that is there.
 */

import type { ClassLevel, Metric, Scene, SceneModel } from "../scene/scene";
import { classOf } from "../scene/words/names";
import type { Weighting } from "../state";
import { minimize, type Slope } from "./lbfgs";

/** What pairs count that hardly count, as in the paper. */
const LIGHT = 1e-4;
/** Nearly equal points must not outweigh all others. */
const FLOOR = 1e-6;
const MAX_ITER = 300;
const TOL = 1e-6;

/** Targets and factors of all pairs i < j, row after row; targets are 1 on average. */
interface Pairs {
  readonly n: number;
  readonly unit: number;
  readonly T: Float64Array;
  readonly V: Float64Array;
}

/** Whether a scene knows enough to weigh its map of classes anew. */
export function canWeigh({ model, features, n_features }: Scene): boolean {
  const level = model?.class_level;
  return Boolean(level && model?.metric) && features.length === n_features;
}

const found = new WeakMap<ClassLevel, Map<Weighting, ClassLevel>>();

/** The map of classes by some weights; the scene's own where it can't be weighed. */
export function weighedLevel(
  scene: Scene,
  model: SceneModel,
  level: ClassLevel,
  weighting: Weighting,
): ClassLevel {
  if (weighting === "prototype" || !canWeigh(scene)) {
    return level;
  }
  const known = found.get(level) ?? new Map<Weighting, ClassLevel>();
  found.set(level, known);
  const made = known.get(weighting) ?? layoutOf(scene, model, level, weighting);
  known.set(weighting, made);
  return made;
}

function layoutOf(
  scene: Scene,
  model: SceneModel,
  level: ClassLevel,
  weighting: Weighting,
): ClassLevel {
  const { labels } = model.prototypes;
  const k = labels.data.length;
  const images = imagesOf(scene, model, level);
  const pairs = pairsOf(images, weightOf(model, weighting));
  const start = [...level.prototype_positions.data, ...level.object_positions.data];
  const Z = minimize(
    stressOf(pairs),
    Float64Array.from(start, (value) => value / pairs.unit),
    MAX_ITER,
    TOL,
  ).x.map((value) => value * pairs.unit);
  const prototypes = Float32Array.from(Z.subarray(0, 2 * k));
  const objects = Float32Array.from(Z.subarray(2 * k));
  return {
    ...level,
    prototype_positions: { ...level.prototype_positions, data: prototypes },
    object_positions: { ...level.object_positions, data: objects },
    agreement: agreementOf(model, level, prototypes, objects),
  };
}

/** What a pair counts; prototypes come first. */
export function weightOf(
  { prototypes: { labels } }: SceneModel,
  weighting: Weighting,
): (i: number, j: number) => number {
  const k = labels.data.length;
  if (weighting === "uniform") {
    return () => 1;
  }
  const sameClass = weighting === "same_class" ? 1 : LIGHT;
  return (i, j) => {
    const nPrototypes = Number(i < k) + Number(j < k);
    if (nPrototypes === 1) {
      return 1;
    }
    if (nPrototypes === 0 || weighting === "object") {
      return LIGHT;
    }
    return classOf(labels, i) === classOf(labels, j) ? sameClass : 1;
  };
}

/** Prototypes and objects in a space in which the model's distances are Euclidean. */
function imagesOf(scene: Scene, model: SceneModel, level: ClassLevel): number[][] {
  const d = scene.features.length;
  const { data } = model.prototypes.values;
  const image = imageBy(model.metric as Metric, d);
  return [
    ...Array.from(model.prototypes.labels.data, (_, p) =>
      image(Array.from(data.subarray(p * d, (p + 1) * d))),
    ),
    ...Array.from(level.objects.data, (i) =>
      image(scene.features.map(({ values }) => values[i])),
    ),
  ];
}

/** Where each class has a metric of its own there is no such space: their mean, then. */
function imageBy({ kind, factors }: Metric, d: number): (x: number[]) => number[] {
  if (kind === "euclidean" || factors === null) {
    return (x) => x;
  }
  const { data, shape } = factors;
  if (kind === "diagonal") {
    return (x) => x.map((value, j) => value * data[j]);
  }
  const scale = kind === "local" ? 1 / Math.sqrt(shape[0]) : 1;
  return (x) =>
    Array.from({ length: data.length / d }, (_, row) =>
      x.reduce((sum, value, j) => sum + scale * data[row * d + j] * value, 0),
    );
}

/** Squared distances are what is shown, as in the paper. */
export function pairsOf(
  images: readonly (readonly number[])[],
  weight: (i: number, j: number) => number,
): Pairs {
  const n = images.length;
  const T = new Float64Array((n * (n - 1)) / 2);
  const w = new Float64Array(T.length);
  let at = 0;
  let [weights, total] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++, at++) {
      T[at] = images[i].reduce((sum, value, m) => sum + (value - images[j][m]) ** 2, 0);
      w[at] = weight(i, j);
      weights += w[at];
      total += w[at] * T[at];
    }
  }
  const unit = total / weights || 1;
  const targets = T.map((value) => value / unit);
  const V = w.map((value, p) => value / Math.max(targets[p], FLOOR) / weights);
  return { n, unit, T: targets, V };
}

/** sum v (d - T)^2 of a map (x0, y0, x1, y1, …), with its slope. */
export function stressOf({ n, T, V }: Pairs): (Z: Float64Array) => Slope {
  return (Z) => {
    const gradient = new Float64Array(Z.length);
    let value = 0;
    let at = 0;
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++, at++) {
        const dx = Z[2 * i] - Z[2 * j];
        const dy = Z[2 * i + 1] - Z[2 * j + 1];
        const d = Math.sqrt(dx * dx + dy * dy);
        const gap = d - T[at];
        value += V[at] * gap * gap;
        // Points at one place have no direction to part in.
        const pull = d > 0 ? (2 * V[at] * gap) / d : 0;
        gradient[2 * i] += pull * dx;
        gradient[2 * i + 1] += pull * dy;
        gradient[2 * j] -= pull * dx;
        gradient[2 * j + 1] -= pull * dy;
      }
    }
    return { value, gradient };
  };
}

/** For how many objects the nearest prototype in the picture has the class of the model. */
function agreementOf(
  { prototypes: { labels }, member_of }: SceneModel,
  { objects }: ClassLevel,
  W: Float32Array,
  Z: Float32Array,
): number | null {
  if (objects.data.length === 0) {
    return null;
  }
  let agreeing = 0;
  objects.data.forEach((object, i) => {
    let [nearest, least] = [0, Number.POSITIVE_INFINITY];
    for (let p = 0; p < labels.data.length; p++) {
      const far = Math.hypot(Z[2 * i] - W[2 * p], Z[2 * i + 1] - W[2 * p + 1]);
      [nearest, least] = far < least ? [p, far] : [nearest, least];
    }
    const own = member_of.data[object];
    agreeing += Number(classOf(labels, nearest) === classOf(labels, own));
  });
  return agreeing / objects.data.length;
}
