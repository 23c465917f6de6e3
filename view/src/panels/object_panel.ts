/** One point: its prediction, the reasons, and changes that would flip the prediction. */

import type { Context } from "../context";
import { number, percent } from "../format";
import { POINT, TOOLBAR } from "../messages";
import { decided } from "../scene/decisions";
import { borderOnMap, ExplanationSource } from "../scene/explanation";
import { fieldsOf } from "../scene/fields";
import { contributionsOf, nearestClasses } from "../scene/metric";
import {
  classOf,
  distanceName,
  distinctNames,
  objectId,
  prototypeName,
  prototypeNumber,
} from "../scene/names";
import { positionIn, type SceneModel } from "../scene/scene";
import { type State, toggleCompared } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { classifierSections } from "./classifier_sections";
import { neighborsSection } from "./neighbors_section";
import {
  behind,
  classMark,
  namedClass,
  note,
  section,
  TabPage,
  table,
  valueCell,
} from "./parts";
import { relabelPart } from "./relabel";
import { changeTable, contributionBars, decisionNote, whyTitle } from "./why";

const CLASSES_SHOWN = 8;
const LONGEST_NAME = 40;
const SHOWN = [
  "object",
  "selection",
  "level",
  "compressed",
  "links",
  "neighborsBy",
  "compared",
  "map",
  "decisions",
] as const;

export class ObjectPanel extends TabPage {
  readonly #answers: ExplanationSource;

  constructor(el: HTMLElement, context: Context) {
    super(el, context, SHOWN);
    this.#answers = new ExplanationSource(context, () => this.again());
    this.again();
  }

  override destroy(): void {
    super.destroy();
    this.#answers.destroy();
  }

  protected draw({ object, selection }: State, width: number): Child[] {
    const { model, model_note } = this.context.scene;
    if (object === null) {
      return [html("h2", POINT.none), note(POINT.howToSelect)];
    }
    return [
      selection.length > 1 ? this.#steps(selection, object) : null,
      ...this.#identity(object),
      ...classifierSections(this.context, object),
      ...(model?.class_distances ? [this.#distances(model, object)] : []),
      neighborsSection(this, object),
      ...(model === null
        ? [model_note ? section(POINT.whyClass, note(model_note)) : null]
        : [...this.#explained(model, object, width), this.#behind(model, object)]),
      this.#features(object),
    ];
  }

  /** Buttons to the previous and next selected point. */
  #steps(selection: Uint32Array, object: number): HTMLElement {
    const { store } = this.context;
    const at = positionIn(selection, object);
    const n = selection.length;
    const to = (next: number) => () => store.set({ object: selection[(next + n) % n] });
    return html(
      "div.ls-buttons.ls-steps",
      { role: "group", "aria-label": POINT.steps },
      button("‹", to(at < 0 ? -1 : at - 1), {
        key: "previous",
        "aria-label": "Previous",
      }),
      button("›", to(at + 1), { key: "next", "aria-label": "Next" }),
      note(at < 0 ? TOOLBAR.selected(n) : POINT.step(at + 1, n)),
    );
  }

  #identity(object: number): Child[] {
    const { scene } = this.context;
    const { labels, predictions, certainty, held_out } = scene;
    const text = this.media.text(object);
    const own = labels === null ? -1 : classOf(labels, object);
    const given = predictions === null ? -1 : classOf(predictions, object);
    const isWrong = labels !== null && own >= 0 && given >= 0 && own !== given;
    const facts: [string, Child][] = [];
    if (labels !== null) {
      facts.push(["class", classMark(scene, own)]);
    }
    const label = decided(this.context.store.state).get(object);
    if (label !== undefined) {
      facts.push([POINT.decided, namedClass(scene, label)]);
    }
    if (predictions !== null) {
      facts.push(["prediction", classMark(scene, given)]);
    }
    if (certainty !== null) {
      facts.push(["certainty", percent(certainty.data[object])]);
    }
    return [
      html("h2.ls-id", { "data-object": object }, objectId(scene, object)),
      this.media.picture(object),
      text === null ? null : html("p.ls-text", { tabindex: 0 }, text),
      html(
        "dl.ls-facts",
        ...facts.flatMap(([name, words]) => [
          html("dt", name),
          html("dd", { "data-fact": name }, words),
        ]),
      ),
      scene.features.length > 0 ? this.#compareButton(object) : null,
      relabelPart(this.context, Uint32Array.of(object)),
      scene.predictions_note && given >= 0
        ? note(POINT.predicted(scene.predictions_note))
        : null,
      isWrong ? note(POINT.differs) : null,
      held_out?.data[object] ? note(POINT.heldOut) : null,
    ];
  }

  #compareButton(object: number): HTMLElement {
    const { store } = this.context;
    const isCompared = store.state.compared.includes(object);
    return html(
      "div.ls-buttons",
      button("Compare", () => toggleCompared(store, object), {
        key: "compare",
        "aria-pressed": String(isCompared),
        title: POINT.compare,
      }),
    );
  }

  #distances(model: SceneModel, object: number): HTMLElement {
    const { scene } = this.context;
    const order = nearestClasses(model, object);
    const [nearest, more] = this.firstOf("classes", order, CLASSES_SHOWN);
    const numbers = order.map(({ prototype }) => prototypeNumber(model, prototype));
    const isNumbered = numbers.some((one) => one !== null);
    return section(
      POINT.distances,
      table(
        POINT.distances,
        ["Class", ...(isNumbered ? ["prototype"] : []), distanceName(model)],
        nearest.map(({ index, distance }, k) => [
          classMark(scene, index),
          ...(isNumbered ? [figure(numbers[k] ? `no. ${numbers[k]}` : "")] : []),
          figure(number(distance), {
            title: String(distance),
            attributes: { "data-class": index, "data-value": distance },
          }),
        ]),
      ),
      more,
      model.squared && order.length > 0 ? note(POINT.squared(order[0].distance)) : null,
    );
  }

  #explained(model: SceneModel, object: number, width: number): Child[] {
    const { scene } = this.context;
    const answer = this.#answers.of(model, object);
    const explanation = answer.state === "answered" ? answer.explanation : null;
    const contributions =
      explanation?.contributions ?? contributionsOf(scene, model, object);
    const status = () => {
      const role = answer.state === "asking" ? "status" : "note";
      const words = answer.state === "answered" ? "" : answer.words;
      return html("p.ls-note", { role }, words);
    };
    return [
      section(
        whyTitle(scene, model, object),
        decisionNote(scene, model, object),
        ...(contributions === null
          ? [status()]
          : contributionBars(this, model, object, contributions, width)),
      ),
      contributions === null
        ? null
        : section(
            POINT.change,
            ...(explanation === null
              ? [status()]
              : changeTable(scene, model, object, explanation)),
            this.#whereItIs(object, explanation !== null),
          ),
    ];
  }

  /** A note about the change on the map, or the reason why it is not drawn. */
  #whereItIs(object: number, isKnown: boolean): HTMLElement | null {
    const { scene, store } = this.context;
    const { level, compressed, map } = store.state;
    if (level !== "data" || compressed || !isKnown) {
      return null;
    }
    return note(
      borderOnMap(scene, map, object)
        ? POINT.arrow
        : scene.maps[map].borders
          ? POINT.notStored
          : POINT.notPlaced,
    );
  }

  #behind(model: SceneModel, object: number): HTMLElement {
    const { scene } = this.context;
    const prototype = model.member_of.data[object];
    const name = prototypeName(scene, model, prototype);
    return section(
      POINT.behindNearest,
      note(POINT.represents(name, model.prototypes.n_members.data[prototype])),
      behind(this, prototype),
    );
  }

  #features(object: number): HTMLElement | null {
    const fields = fieldsOf(this.context.scene);
    if (fields.length === 0) {
      return null;
    }
    const names = distinctNames(fields, LONGEST_NAME);
    return html(
      "details",
      // Open if there is no model, because there are only values to show.
      { class: "ls-section", open: this.context.scene.model === null },
      html("summary", { "data-key": "values" }, POINT.values),
      table(
        POINT.values,
        [fields.some(({ column }) => column) ? "Column" : "Feature", "value"],
        fields.map((field, k) => [
          { words: html("span.ls-cut", names[k]), title: field.name },
          { ...valueCell(field, object), numeric: true },
        ]),
      ),
    );
  }
}
