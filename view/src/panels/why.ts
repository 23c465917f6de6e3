/** Why a decision fell as it did, and the smallest change that turns it. */

import { bars } from "../charts/bars";
import { classPaint } from "../color/colors";
import type { Explanation } from "../hosts/questions";
import { changesOf } from "../object/explanation";
import { count, counted, number } from "../scene/format";
import { classTitle, inWords, shortened, toldApart } from "../scene/names";
import type { NearClass } from "../scene/nearest_classes";
import type { Scene, SceneModel } from "../scene/scene";
import { changeUnit, distanceName } from "../scene/units";
import { shownValue, written } from "../scene/values";
import { button } from "../ui/button";
import { type Child, html } from "../ui/elements";
import { note, table } from "./parts";

const FEATURES_SHOWN = 10;
const CHANGES_SHOWN = 8;
const LONGEST_NAME = 40;

/** What each feature says for and against the decision, the loudest first. */
export function contributionBars(
  scene: Scene,
  model: SceneModel,
  classes: readonly NearClass[],
  contributions: ArrayLike<number>,
  { width, showAll }: { width: number; showAll: (() => void) | null },
): Child[] {
  const values = scene.features.map((_, j) => contributions[j]);
  const order = Array.from(values.keys()).sort(
    (a, b) => Math.abs(values[b]) - Math.abs(values[a]),
  );
  const shown = showAll === null ? order : order.slice(0, FEATURES_SHOWN);
  const total = values.reduce((a, b) => a + b, 0);
  const [own, foreign] = classes.map(({ index }) => classWords(scene, index));
  // In the colours of the classes that they speak for.
  const [color, negative] = [0, 1].map((k) =>
    classes[k] ? classPaint(classes[k].index, scene.classes.length) : "var(--ls-quiet)",
  );
  const words =
    own === undefined || foreign === undefined
      ? "Bars to the right speak for the decision, bars to the left against it."
      : `Bars to the right speak for ${own}, bars to the left for ${foreign}.`;
  return [
    note(`${words} ${sumInWords(scene, model, classes, total)}`),
    bars(
      shown.map((j) => ({ name: scene.features[j].name, values: [values[j]] })),
      [{ name: "contribution", color, negative }],
      width,
      "Contributions of features",
    ),
    showAll !== null && shown.length < order.length
      ? button(`Show all ${count(order.length)} features`, showAll, { key: "features" })
      : null,
  ];
}

/** What the bars add up to. With more features than are shown it is not the whole lead. */
function sumInWords(
  scene: Scene,
  model: SceneModel,
  near: readonly NearClass[],
  total: number,
): string {
  const lead = `the lead in ${distanceName(model)}`;
  const shown = scene.features.length;
  if (shown === scene.n_features) {
    return `Together ${number(total)}: ${lead}.`;
  }
  const few = `The ${count(shown)} of ${count(scene.n_features)} features here add up to`;
  const [own, foreign] = near;
  return own && foreign
    ? `${few} ${number(total)} of ${lead}, ${number(foreign.distance - own.distance)}.`
    : `${few} ${number(total)}.`;
}

/** The smallest change that flips the decision, in units of the data. */
export function changeTable(
  scene: Scene,
  model: SceneModel,
  object: number,
  { change, changeDistance, changeClass }: Explanation,
): Child[] {
  if (scene.classes[changeClass] === undefined || !Number.isFinite(changeDistance)) {
    return [note("No change that flips the decision was found.")];
  }
  const changes = changesOf(
    scene.features.map((_, j) => change[j]),
    scene.features.map(({ values }) => values[object]),
    scene.features.map(({ low, high }) => high - low),
  );
  const left = changes.length - CHANGES_SHOWN;
  const unit = changeUnit(model);
  const names = toldApart(
    scene.features.map(({ name }) => name),
    LONGEST_NAME,
  );
  return [
    html(
      "p",
      { class: "ls-note", "data-change-class": changeClass },
      `A change of length ${number(changeDistance)}, ${unit}, makes it ` +
        `${classWords(scene, changeClass)}. No smaller one is known.`,
    ),
    table(
      "The smallest change that flips the decision",
      [
        { words: "Feature" },
        { words: "from", numeric: true },
        { words: "to", numeric: true },
      ],
      changes.slice(0, CHANGES_SHOWN).map(({ feature, from, to }) => {
        const changed = scene.features[feature];
        return [
          {
            words: html("span", { class: "ls-cut" }, names[feature]),
            title: changed.name,
          },
          { title: String(from), ...shownValue(changed, object), numeric: true },
          {
            words: written(changed, to),
            numeric: true,
            title: String(to),
            attributes: { "data-value": to },
          },
        ];
      }),
    ),
    left > 0 ? note(`and ${counted(left, "smaller change")} in other features.`) : null,
  ];
}

/** A class in a sentence. */
function classWords(scene: Scene, index: number): string {
  return inWords(shortened(classTitle(scene, index), LONGEST_NAME));
}
