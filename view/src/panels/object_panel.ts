/** One object: what the model says of it, why, and what would change its mind. */

import type { Context, Panel } from "../context";
import { fieldsOf } from "../scene/fields";
import { count, counted, number, percent } from "../scene/format";
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
import { decided, type State, toggleCompared } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { Media } from "../ui/media";
import { classifierSections } from "./classifier_sections";
import { borderOnMap, ExplanationSource } from "./explanation";
import { neighborsSection } from "./neighbors_section";
import {
  behind,
  classMark,
  namedClass,
  note,
  section,
  showAll,
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

export class ObjectPanel implements Panel {
  readonly #context: Context;
  readonly #media: Media;
  readonly #page: TabPage;
  readonly #answers: ExplanationSource;
  #allClasses = false;
  #allFeatures = false;

  constructor(el: HTMLElement, context: Context) {
    this.#context = context;
    this.#media = new Media(context.scene);
    this.#answers = new ExplanationSource(context, () => this.#page.again());
    const { store } = context;
    store.watch(["object"], () => {
      this.#allClasses = false;
      this.#allFeatures = false;
    });
    this.#page = new TabPage(el, store, SHOWN, (now, width) => this.#draw(now, width));
  }

  destroy(): void {
    this.#page.destroy();
    this.#answers.destroy();
    this.#media.destroy();
  }

  #draw({ object, selection }: State, width: number): Child[] {
    const { model } = this.#context.scene;
    if (object === null) {
      return [
        html("h2", {}, "No object chosen"),
        note("Click a point on a map, or an id in the table of chosen points."),
      ];
    }
    return [
      selection.length > 1 ? this.#steps(selection, object) : null,
      ...this.#identity(object),
      ...classifierSections(this.#context, object),
      ...(model?.class_distances ? [this.#distances(model, object)] : []),
      neighborsSection(this.#context, this.#media, object),
      ...(model === null
        ? [this.#notExplained()]
        : this.#explained(model, object, width)),
      ...(model === null ? [] : [this.#behind(model, object)]),
      this.#features(object),
    ];
  }

  /** From one chosen point to the next. */
  #steps(selection: Uint32Array, object: number): HTMLElement {
    const { store } = this.#context;
    const at = positionIn(selection, object);
    const n = selection.length;
    const to = (next: number) => () => store.set({ object: selection[(next + n) % n] });
    return html(
      "div",
      { class: "ls-buttons ls-steps", role: "group", "aria-label": "Chosen points" },
      button("‹", to(at < 0 ? -1 : at - 1), {
        key: "previous",
        "aria-label": "Previous",
      }),
      button("›", to(at + 1), { key: "next", "aria-label": "Next" }),
      note(at < 0 ? `${count(n)} chosen` : `${count(at + 1)} of ${count(n)} chosen`),
    );
  }

  #identity(object: number): Child[] {
    const { scene } = this.#context;
    const { labels, predictions, certainty, held_out } = scene;
    const text = this.#media.text(object);
    const own = labels === null ? -1 : classOf(labels, object);
    const given = predictions === null ? -1 : classOf(predictions, object);
    const isWrong = labels !== null && own >= 0 && given >= 0 && own !== given;
    const facts: [string, Child][] = [];
    if (labels !== null) {
      facts.push(["class", classMark(scene, own)]);
    }
    const label = decided(this.#context.store.state).get(object);
    if (label !== undefined) {
      facts.push(["decided", namedClass(scene, label)]);
    }
    if (predictions !== null) {
      facts.push(["prediction", classMark(scene, given)]);
    }
    if (certainty !== null) {
      facts.push(["certainty", percent(certainty.data[object])]);
    }
    return [
      html("h2", { class: "ls-id", "data-object": object }, objectId(scene, object)),
      this.#media.picture(object),
      text === null ? null : html("p", { class: "ls-text", tabindex: 0 }, text),
      html(
        "dl",
        { class: "ls-facts" },
        ...facts.flatMap(([name, words]) => [
          html("dt", {}, name),
          html("dd", { "data-fact": name }, words),
        ]),
      ),
      scene.features.length > 0 ? this.#compareButton(object) : null,
      relabelPart(this.#context, Uint32Array.of(object)),
      scene.predictions_note && given >= 0
        ? note(`Predicted ${scene.predictions_note}.`)
        : null,
      isWrong ? note("The prediction is another class than the data give.") : null,
      held_out?.data[object] ? note("The map was not fitted to this object.") : null,
    ];
  }

  #compareButton(object: number): HTMLElement {
    const { store } = this.#context;
    const isCompared = store.state.compared.includes(object);
    return html(
      "div",
      { class: "ls-buttons" },
      button("Compare", () => toggleCompared(store, object), {
        key: "compare",
        "aria-pressed": String(isCompared),
        title: "Side by side with other objects and prototypes",
      }),
    );
  }

  #distances(model: SceneModel, object: number): HTMLElement {
    const { scene } = this.#context;
    const order = nearestClasses(model, object);
    const shown = this.#allClasses ? order : order.slice(0, CLASSES_SHOWN);
    const numbers = order.map(({ prototype }) => prototypeNumber(model, prototype));
    const isNumbered = numbers.some((one) => one !== null);
    return section(
      "Distance to each class",
      table(
        "Distance to each class",
        ["Class", ...(isNumbered ? ["prototype"] : []), distanceName(model)],
        shown.map(({ index, distance }, k) => [
          classMark(scene, index),
          ...(isNumbered ? [figure(numbers[k] ? `no. ${numbers[k]}` : "")] : []),
          figure(number(distance), {
            title: String(distance),
            attributes: { "data-class": index, "data-value": distance },
          }),
        ]),
      ),
      showAll("classes", `${order.length} classes`, shown.length < order.length, () => {
        this.#allClasses = true;
        this.#page.again();
      }),
      model.squared && order.length > 0 ? note(rootInWords(order[0].distance)) : null,
    );
  }

  #explained(model: SceneModel, object: number, width: number): Child[] {
    const { scene } = this.#context;
    const answer = this.#answers.of(model, object);
    const explanation = answer.state === "answered" ? answer.explanation : null;
    const contributions =
      explanation?.contributions ?? contributionsOf(scene, model, object);
    const told = () => {
      const role = answer.state === "asking" ? "status" : "note";
      const words = answer.state === "answered" ? "" : answer.words;
      return html("p", { class: "ls-note", role }, words);
    };
    const showFeatures = () => {
      this.#allFeatures = true;
      this.#page.again();
    };
    return [
      section(
        whyTitle(scene, model, object),
        decisionNote(scene, model, object),
        ...(contributions === null
          ? [told()]
          : contributionBars(
              scene,
              model,
              object,
              nearestClasses(model, object),
              contributions,
              { width, showMore: this.#allFeatures ? null : showFeatures },
            )),
      ),
      contributions === null
        ? null
        : section(
            "The smallest change",
            ...(explanation === null
              ? [told()]
              : changeTable(scene, model, object, explanation)),
            this.#whereItIs(object, explanation !== null),
          ),
    ];
  }

  /** Why nothing explains the classes of this map. */
  #notExplained(): HTMLElement | null {
    const { model_note } = this.#context.scene;
    return model_note ? section("Why this class", note(model_note)) : null;
  }

  /** Where the change leads on the map, or why that can't be drawn. */
  #whereItIs(object: number, isKnown: boolean): HTMLElement | null {
    const { scene, store } = this.#context;
    const { level, compressed, map } = store.state;
    if (level !== "data" || compressed || !isKnown) {
      return null;
    }
    return note(
      borderOnMap(scene, map, object)
        ? "The arrow on the map leads to where that is, the line across it is the border."
        : scene.maps[map].borders
          ? "It is not drawn on the map: only what the page itself explains has a place."
          : "It is not drawn on this map, which has no places for new objects.",
    );
  }

  #behind(model: SceneModel, object: number): HTMLElement {
    const { scene } = this.#context;
    const prototype = model.member_of.data[object];
    const name = prototypeName(scene, model, prototype);
    const members = counted(model.prototypes.n_members.data[prototype], "object");
    return section(
      "Real objects behind the nearest prototype",
      note(`${name} stands for ${members}.`),
      behind(this.#context, this.#media, prototype),
    );
  }

  #features(object: number): HTMLElement | null {
    const fields = fieldsOf(this.#context.scene);
    if (fields.length === 0) {
      return null;
    }
    const names = distinctNames(fields, LONGEST_NAME);
    return html(
      "details",
      // Where no model says anything, the values are all there is.
      { class: "ls-section", open: this.#context.scene.model === null },
      html("summary", { "data-key": "values" }, "All values"),
      table(
        "All values",
        [fields.some(({ column }) => column) ? "Column" : "Feature", "value"],
        fields.map((field, k) => [
          { words: html("span", { class: "ls-cut" }, names[k]), title: field.name },
          { ...valueCell(field, object), numeric: true },
        ]),
      ),
    );
  }
}

/** How a squared distance is to be read. */
function rootInWords(squared: number): string {
  return (
    `Squared, as the model compares them: ${number(squared)} ` +
    `is a distance of ${number(Math.sqrt(squared))}.`
  );
}
