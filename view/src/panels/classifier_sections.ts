/** The prediction of a classifier for one point: probabilities, and changes that flip it. */

import type { Context } from "../context";
import { percent } from "../format";
import { CLASSIFIER } from "../messages";
import { fieldsOf } from "../scene/fields";
import { classTitle, inWords, objectId } from "../scene/names";
import type { DecisionChanges, Scene } from "../scene/scene";
import { show } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { classMark, note, section, table, valueCell } from "./parts";

const CLASSES_SHOWN = 8;

/** Empty if the scene has no classifier. */
export function classifierSections(context: Context, object: number): Child[] {
  const { scene } = context;
  const { probabilities, changes, model } = scene;
  if (probabilities == null && changes == null) {
    return [];
  }
  return [
    probabilities ? probabilitySection(scene, probabilities.data, object) : null,
    changes
      ? changeSection(context, changes, object)
      : model === null
        ? section(CLASSIFIER.title, note(CLASSIFIER.noReasons))
        : null,
  ];
}

/** The most probable classes of a point. */
function probabilitySection(
  scene: Scene,
  all: Float32Array,
  object: number,
): HTMLElement {
  const n = scene.classes.length;
  const own = Array.from(all.subarray(n * object, n * (object + 1)));
  const order = own.map((_, index) => index).sort((a, b) => own[b] - own[a]);
  const shown = order.slice(0, CLASSES_SHOWN);
  const rest = order.slice(CLASSES_SHOWN).reduce((sum, index) => sum + own[index], 0);
  return section(
    "Probabilities",
    table(
      "Probabilities",
      ["Class", "probability"],
      shown.map((index) => [
        classMark(scene, index),
        figure(percent(own[index]), {
          attributes: { "data-class": index, "data-value": own[index] },
        }),
      ]),
    ),
    order.length > shown.length
      ? note(CLASSIFIER.rest(rest, order.length - shown.length))
      : null,
  );
}

/** The nearest point with another prediction, and the values that would flip this prediction. */
function changeSection(
  context: Context,
  { columns, other, starts, taken, answers }: DecisionChanges,
  object: number,
): HTMLElement {
  const { scene } = context;
  const near = other.data[object];
  if (near === object) {
    return section(CLASSIFIER.title, note(CLASSIFIER.notSearched));
  }
  const fields = new Map(fieldsOf(scene).map((field) => [field.name, field]));
  const names = Array.from(
    taken.data.subarray(starts.data[object], starts.data[object + 1]),
    (index) => columns[index],
  );
  const id = objectId(scene, near);
  const answer = inWords(classTitle(scene, answers.data[object]));
  const link = button(id, () => show(context, near), { key: "near", class: "ls-link" });
  return section(
    CLASSIFIER.title,
    html("p", CLASSIFIER.nearest, link),
    table(
      CLASSIFIER.title,
      ["Column", "here", "there"],
      names.map((name) => {
        const field = fields.get(name);
        const cells = [object, near].map((point) =>
          field ? valueCell(field, point) : { words: CLASSIFIER.notShown },
        );
        return [name, ...cells.map((one) => ({ ...one, numeric: true }))];
      }),
    ),
    note(CLASSIFIER.change(names.length, inWords(id), answer)),
  );
}
