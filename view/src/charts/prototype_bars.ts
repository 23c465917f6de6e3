/** Features of selected prototypes and points side by side. */

import { paintIn } from "../color/looks";
import type { Subject } from "../scene/compared";
import {
  asCategories,
  type CategoryColumn,
  categoryOf,
  categoryTitle,
  type Field,
  nearestCategory,
  seenFields,
} from "../scene/fields";
import { distanceTerms } from "../scene/metric";
import { classOf } from "../scene/names";
import type { Feature, Scene, SceneModel } from "../scene/scene";
import { isImputed, written } from "../scene/values";
import { type BarGroup, type Domain, domainOf, type Series } from "./bars";

/** In units of the data, as a share of the training range, or as terms of a distance. */
export type Mode = "raw" | "scaled" | "contribution";
export type Order = "relevance" | "difference";

/** The bars of a column, or of its features if the column has categories. */
export interface FieldGroup extends BarGroup {
  readonly parts: readonly BarGroup[];
}

export interface Comparison {
  readonly series: readonly Series[];
  /** One group per column, in the given order. */
  readonly groups: readonly FieldGroup[];
  /** "each" if the units of features differ too much for one axis. */
  readonly axis: Domain | "each";
}

/** One of the compared prototypes or points, with the values to draw for each feature. */
interface Drawn {
  readonly subject: Subject;
  readonly values: ArrayLike<number>;
  readonly shown: ArrayLike<number>;
}

/** Features whose sizes differ by this factor are not drawn on one axis. */
const UNLIKE = 20;
const OBJECT_COLOR = "var(--ls-ink)";

/** Compare prototypes and points; terms of distances refer to the first prototype. */
export function comparison(
  scene: Scene,
  subjects: readonly Subject[],
  mode: Mode,
  order: Order,
): Comparison {
  const { model } = scene;
  const [first, ...others] = subjects;
  const drawn = (mode === "contribution" ? others : subjects).map((subject) => {
    const values = knownValues(scene, subject);
    const shown =
      mode === "contribution"
        ? terms(model, first, subject)
        : mode === "scaled"
          ? scaled(scene, values)
          : values;
    return { subject, values, shown };
  });
  const relevances = order === "relevance" ? model?.relevances?.data : null;
  const fields = seenFields(scene);
  const groups = fields.map((field) => groupOf(scene, field, drawn, mode));
  const apart = subjects.map((subject) => scaled(scene, knownValues(scene, subject)));
  const sizes = fields.map(({ features }, k) =>
    relevances
      ? features.reduce((sum, j) => sum + relevances[j], 0)
      : mode === "contribution"
        ? difference(groups[k].values)
        : Math.max(...features.map((j) => difference(apart.map((one) => one[j])))),
  );
  const ranked = Array.from(groups.keys()).sort((a, b) => sizes[b] - sizes[a]);
  const all = groups.flatMap((group) => [group, ...group.parts]);
  const axis =
    mode === "scaled"
      ? { low: 0, high: 1 }
      : mode === "raw" && haveUnlikeUnits(all)
        ? "each"
        : domainOf(all);
  const series = drawn.map(({ subject }) => seriesOf(scene, subject, subjects));
  return { series, groups: ranked.map((k) => groups[k]), axis };
}

/** The bars of a column. Categories are words, and their features have bars. */
function groupOf(
  scene: Scene,
  field: Field,
  drawn: readonly Drawn[],
  mode: Mode,
): FieldGroup {
  const { name, features } = field;
  const categories = asCategories(field.column);
  if (categories === null && features.length === 1) {
    const [j] = features;
    return { ...featureGroup(scene.features[j], j, drawn, mode), name, parts: [] };
  }
  const parts = features.map((j) => ({
    ...featureGroup(scene.features[j], j, drawn, mode),
    isPart: true,
  }));
  const isNamed = categories !== null && mode !== "contribution";
  return {
    name,
    parts,
    values: drawn.map(({ shown }) =>
      isNamed ? Number.NaN : features.reduce((sum, j) => sum + shown[j], 0),
    ),
    categories: isNamed
      ? drawn.map(({ subject }) => categoryWords(categories, field, subject))
      : undefined,
  };
}

/** The category of a point, or the category nearest to a prototype. */
function categoryWords(
  column: CategoryColumn,
  { features }: Field,
  { object, values }: Subject,
): string {
  if (object >= 0) {
    return categoryTitle(column, categoryOf(column, object));
  }
  const own = features.map((j) => values[j]);
  const { index, isExact } = nearestCategory(column, own);
  return `${isExact ? "" : "≈ "}${categoryTitle(column, index)}`;
}

function featureGroup(
  feature: Feature,
  j: number,
  drawn: readonly Drawn[],
  mode: Mode,
): BarGroup {
  const words = drawn.map(({ values }) => written(feature, values[j]));
  return {
    name: feature.name,
    values: drawn.map(({ shown }) => shown[j]),
    words: mode === "raw" && feature.kind ? words : undefined,
    notes: mode === "scaled" ? words : undefined,
  };
}

/** Prototypes have the color of their class, points a neutral color; later ones are lighter. */
function seriesOf(
  scene: Scene,
  subject: Subject,
  subjects: readonly Subject[],
): Series {
  const { model } = scene;
  const colorOf = ({ prototype }: Subject) =>
    model === null || prototype < 0
      ? OBJECT_COLOR
      : paintIn(scene, classOf(model.prototypes.labels, prototype));
  const color = colorOf(subject);
  const siblings = subjects.filter((other) => colorOf(other) === color);
  const n = siblings.length;
  const opacity = n > 1 ? 1 - siblings.indexOf(subject) / n : undefined;
  return { name: subject.name, color, opacity };
}

/** Values that were missing and imputed are not shown as measured values. */
function knownValues({ features }: Scene, { object, values }: Subject): number[] {
  return features.map((feature, j) =>
    object >= 0 && isImputed(feature, object) ? Number.NaN : values[j],
  );
}

/** Contribution of each feature to the squared distance, including imputed values. */
function terms(
  model: SceneModel | null,
  first: Subject,
  other: Subject,
): ArrayLike<number> {
  const v = Array.from(first.values, (value, j) => value - other.values[j]);
  // If prototypes have their own metrics, a point is measured by the metric of the prototype.
  const owner = other.prototype < 0 ? first.prototype : other.prototype;
  const isMeasured = model?.metric && (model.metric.kind !== "local" || owner >= 0);
  return isMeasured && model.metric
    ? distanceTerms(v, model.metric, owner)
    : v.map(() => Number.NaN);
}

function scaled(scene: Scene, values: ArrayLike<number>): number[] {
  return scene.features.map(({ low, high }, j) =>
    high > low ? (values[j] - low) / (high - low) : 0,
  );
}

/** Whether the bars of a feature would be too short on a common axis. */
function haveUnlikeUnits(groups: readonly BarGroup[]): boolean {
  const sizes = groups
    .map(({ values }) => Math.max(...values.filter(Number.isFinite).map(Math.abs)))
    .filter((size) => size > 0);
  return Math.max(...sizes) > UNLIKE * Math.min(...sizes);
}

/** The range of the values; for a single value, its distance from zero. */
function difference(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  const all = known.length > 1 ? known : [0, ...known];
  return Math.max(...all) - Math.min(...all);
}
