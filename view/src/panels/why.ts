/** The reasons for the prediction of a point, and the smallest change that flips it. */

import { bars } from "../charts/bars";
import { paintIn } from "../color/looks";
import { NAMES, WHY } from "../messages";
import { changesOf } from "../scene/explanation";
import {
  asCategories,
  categoryTitle,
  categoryWith,
  type Field,
  fieldValue,
  seenFields,
  sumOf,
} from "../scene/fields";
import { type NearClass, nearestClasses } from "../scene/metric";
import {
  classOf,
  classTitle,
  distanceName,
  distinctNames,
  inWords,
  shortened,
} from "../scene/names";
import type { Scene, SceneModel } from "../scene/scene";
import type { Answer as Explanation } from "../scene/scene_types";
import { written } from "../scene/values";
import { type Cell, type Child, html } from "../ui/elements";
import { note, type TabPage, table } from "./parts";

const FEATURES_SHOWN = 10;
const CHANGES_SHOWN = 8;
const LONGEST_NAME = 40;

/** The title of the explanation: the model and its prediction. */
export function whyTitle(scene: Scene, model: SceneModel, object: number): string {
  const own = decisionOf(model, object);
  return WHY.title(model.name, own < 0 ? null : classWords(scene, own));
}

/** The accuracy of the model, and whether the held-out prediction differs. */
export function decisionNote(
  scene: Scene,
  model: SceneModel,
  object: number,
): HTMLElement | null {
  const { predictions } = scene;
  const own = decisionOf(model, object);
  const given = predictions === null ? own : classOf(predictions, object);
  const right = model.accuracy == null ? "" : WHY.accuracy(model.name, model.accuracy);
  const differs =
    own >= 0 && given >= 0 && own !== given
      ? WHY.differs(classWords(scene, own), classWords(scene, given))
      : "";
  return right || differs ? note(right + differs) : null;
}

/** The class of the nearest prototype; -1 if there is none. */
function decisionOf({ prototypes, member_of }: SceneModel, object: number): number {
  return classOf(prototypes.labels, member_of.data[object]);
}

/** Contributions of the columns for and against the prediction, the largest first. */
export function contributionBars(
  page: TabPage,
  model: SceneModel,
  object: number,
  contributions: ArrayLike<number>,
  width: number,
): Child[] {
  const { scene } = page.context;
  const classes = nearestClasses(model, object);
  const fields = seenFields(scene);
  const values = fields.map((field) => sumOf(field, contributions));
  const order = Array.from(values.keys()).sort(
    (a, b) => Math.abs(values[b]) - Math.abs(values[a]),
  );
  const [first, more] = page.firstOf(
    "features",
    order,
    FEATURES_SHOWN,
    wordsFor(fields),
  );
  const total = values.reduce((a, b) => a + b, 0);
  const [own, foreign] = classes.map(({ index }) => classWords(scene, index));
  // Bars have the color of the class that they favor.
  const [color, negative] = [0, 1].map((k) =>
    classes[k] ? paintIn(scene, classes[k].index) : "var(--ls-quiet)",
  );
  const words =
    own === undefined || foreign === undefined ? WHY.bars : WHY.barsOf(own, foreign);
  return [
    note(`${words} ${sumInWords(scene, model, classes, total)}`),
    bars(
      first.map((k) => ({ name: valued(fields[k], object), values: [values[k]] })),
      [{ name: "contribution", color, negative }],
      width,
      WHY.chart,
    ),
    more,
  ];
}

/** The name of a column, with the category of the point if the column has categories. */
function valued(field: Field, object: number): string {
  const isCategories = asCategories(field.column) !== null;
  return isCategories
    ? `${field.name} = ${fieldValue(field, object).words}`
    : field.name;
}

/** The word for the bars: features, or columns if several features encode one column. */
export function wordsFor(fields: readonly Field[]): string {
  return fields.some(({ column }) => column) ? "columns" : "features";
}

/** The sum of the bars, which is only a part of the margin if some features are not shown. */
function sumInWords(
  scene: Scene,
  model: SceneModel,
  near: readonly NearClass[],
  total: number,
): string {
  const shown = scene.features.length;
  if (shown === scene.n_features) {
    return WHY.sum(total, distanceName(model));
  }
  const [own, foreign] = near;
  const margin =
    own && foreign
      ? WHY.margin(distanceName(model), foreign.distance - own.distance)
      : "";
  return WHY.partSum(shown, scene.n_features, total, margin);
}

/** The smallest change that flips the prediction, in units of the data. */
export function changeTable(
  scene: Scene,
  model: SceneModel,
  object: number,
  { change, change_distance, change_class }: Explanation,
): Child[] {
  if (scene.classes[change_class] === undefined || change_distance === null) {
    return [note(WHY.noChange)];
  }
  const changes = changedFields(scene, object, change);
  const left = changes.length - CHANGES_SHOWN;
  const unit = NAMES.units[model.unit ?? "model"];
  const fields = changes.map(({ field }) => field);
  const names = distinctNames(fields, LONGEST_NAME);
  return [
    html(
      "p.ls-note",
      { "data-change-class": change_class },
      WHY.change(change_distance, unit, classWords(scene, change_class)),
    ),
    table(
      WHY.changeTable,
      [wordsFor(seenFields(scene)) === "columns" ? "Column" : "Feature", "from", "to"],
      changes.slice(0, CHANGES_SHOWN).map(({ field, from, to }, k) => [
        { words: html("span.ls-cut", names[k]), title: field.name },
        { title: String(from), ...fieldValue(field, object), numeric: true },
        { ...to, numeric: true },
      ]),
    ),
    left > 0 ? note(WHY.moreChanges(left, wordsFor(seenFields(scene)))) : null,
  ];
}

interface FieldChange {
  readonly field: Field;
  readonly from: number | string;
  readonly to: Pick<Cell, "words" | "title" | "attributes">;
}

/** The columns that change, the largest change first; a column of categories is one entry. */
function changedFields(
  scene: Scene,
  object: number,
  change: ArrayLike<number>,
): FieldChange[] {
  const changes = changesOf(
    scene.features.map((_, j) => change[j]),
    scene.features.map(({ values }) => values[object]),
    scene.features.map(({ low, high }) => high - low),
  );
  const fields = seenFields(scene);
  const changed = new Map<Field, FieldChange>();
  for (const { feature, from, to } of changes) {
    const field = fields.find(({ features }) => features.includes(feature));
    if (field && !changed.has(field)) {
      const after = field.features.map(
        (j) => scene.features[j].values[object] + change[j],
      );
      changed.set(field, { field, from, to: changedTo(field, to, after) });
    }
  }
  return [...changed.values()];
}

/** The new value of a column; `after` are the new values of its features. */
function changedTo(field: Field, to: number, after: number[]): FieldChange["to"] {
  const categories = asCategories(field.column);
  if (categories === null) {
    const words = written(field.numbers ?? {}, to);
    return { words, title: String(to), attributes: { "data-value": to } };
  }
  const index = categoryWith(categories, after);
  return {
    words: index < 0 ? WHY.between : categoryTitle(categories, index),
    title: index < 0 ? WHY.betweenTitle : undefined,
    attributes: { "data-category": index },
  };
}

/** The name of a class in a sentence. */
function classWords(scene: Scene, index: number): string {
  return inWords(shortened(classTitle(scene, index), LONGEST_NAME));
}
