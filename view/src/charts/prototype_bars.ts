/** Features of chosen prototypes side by side (paper 003, section 5). */

import { paintIn } from "../color/looks";
import { distanceTerms } from "../scene/metric";
import { classOf, objectId, prototypeName } from "../scene/names";
import type { Scene, SceneModel } from "../scene/scene";
import { isImputed, written } from "../scene/values";
import { type BarGroup, type Domain, domainOf, type Series } from "./bars";

/** In units of the data, as share of the training range, or as terms of a distance. */
export type Mode = "raw" | "scaled" | "contribution";
export type Order = "relevance" | "difference";

export interface Comparison {
  readonly series: readonly Series[];
  /** One group per feature, in the order asked for. */
  readonly groups: readonly BarGroup[];
  /** "each" where features are in units too different for one axis. */
  readonly axis: Domain | "each";
}

/** One prototype or object whose features are compared. */
interface Subject extends Series {
  /** -1 for an object. */
  readonly prototype: number;
  readonly values: ArrayLike<number>;
}

/** Features that differ by this factor in size are not drawn on one axis. */
const UNLIKE = 20;
const OBJECT_COLOR = "var(--ls-ink)";

/** Compare prototypes, and an object with them where one is chosen. */
export function comparison(
  scene: Scene,
  model: SceneModel,
  prototypes: readonly number[],
  object: number | null,
  mode: Mode,
  order: Order,
): Comparison {
  const subjects = prototypes.map((p) => prototypeSubject(scene, model, p, prototypes));
  if (object !== null) {
    subjects.push({
      name: objectId(scene, object),
      color: OBJECT_COLOR,
      prototype: -1,
      // Terms of a distance are of what the model was given, assumed or not.
      values: scene.features.map((feature) =>
        mode !== "contribution" && isImputed(feature, object)
          ? Number.NaN
          : feature.values[object],
      ),
    });
  }
  const [first, ...others] = subjects;
  const series = mode === "contribution" ? others : subjects;
  const columns = series.map((subject) =>
    mode === "contribution"
      ? terms(model, first, subject)
      : mode === "scaled"
        ? scaled(scene, subject.values)
        : subject.values,
  );
  const groups = scene.features.map((feature, j) => {
    const words = series.map(({ values }) => written(feature, values[j]));
    return {
      name: feature.name,
      values: columns.map((column) => column[j]),
      words: mode === "raw" && feature.kind ? words : undefined,
      notes: mode === "scaled" ? words : undefined,
    };
  });
  const sizes = scene.features.map((_, j) =>
    order === "relevance" && model.relevances != null
      ? model.relevances.data[j]
      : difference(
          mode === "raw"
            ? subjects.map((s) => scaled(scene, s.values)[j])
            : groups[j].values,
        ),
  );
  const ranked = Array.from(groups.keys()).sort((a, b) => sizes[b] - sizes[a]);
  const axis =
    mode === "scaled"
      ? { low: 0, high: 1 }
      : mode === "raw" && haveUnlikeUnits(groups)
        ? "each"
        : domainOf(groups);
  return { series, groups: ranked.map((j) => groups[j]), axis };
}

function prototypeSubject(
  scene: Scene,
  model: SceneModel,
  prototype: number,
  chosen: readonly number[],
): Subject {
  const { labels, values } = model.prototypes;
  const d = scene.features.length;
  const own = classOf(labels, prototype);
  // Prototypes of one class share its colour: each further one is lighter.
  const siblings = chosen.filter((other) => classOf(labels, other) === own);
  return {
    name: prototypeName(scene, model, prototype),
    color: paintIn(scene, own),
    opacity: siblings.length > 1 ? 1 / (1 + siblings.indexOf(prototype)) : undefined,
    prototype,
    values: values.data.subarray(prototype * d, (prototype + 1) * d),
  };
}

/** What each feature adds to the squared distance between two subjects. */
function terms(model: SceneModel, first: Subject, other: Subject): ArrayLike<number> {
  if (model.metric == null) {
    return Array.from(other.values, () => Number.NaN);
  }
  const v = Array.from(first.values, (value, j) => value - other.values[j]);
  // Where prototypes have metrics of their own, an object is measured by the prototype's.
  const owner = other.prototype < 0 ? first.prototype : other.prototype;
  return distanceTerms(v, model.metric, owner);
}

function scaled(scene: Scene, values: ArrayLike<number>): number[] {
  return scene.features.map(({ low, high }, j) =>
    high > low ? (values[j] - low) / (high - low) : 0,
  );
}

/** Whether the bars of some feature would be too short to be seen on one axis. */
function haveUnlikeUnits(groups: readonly BarGroup[]): boolean {
  const sizes = groups
    .map(({ values }) => Math.max(...values.filter(Number.isFinite).map(Math.abs)))
    .filter((size) => size > 0);
  return Math.max(...sizes) > UNLIKE * Math.min(...sizes);
}

/** How far values lie apart; from zero where there is only one. */
function difference(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  const all = known.length > 1 ? known : [0, ...known];
  return Math.max(...all) - Math.min(...all);
}
