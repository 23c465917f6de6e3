/** One object: what the model says of it, why, and what would change its mind. */

import type { Context, Panel } from "../context";
import { borderOnMap, ExplanationSource } from "../object/explanation";
import { contributionsOf } from "../scene/contributions";
import { fieldsOf } from "../scene/fields";
import { nearestClasses } from "../scene/nearest_classes";
import type { SceneModel } from "../scene/scene";
import { positionIn } from "../scene/sorted_search";
import { count, counted, number, percent } from "../scene/words/format";
import {
  classOf,
  objectId,
  prototypeName,
  prototypeNumber,
  toldApart,
} from "../scene/words/names";
import { distanceName } from "../scene/words/units";
import { decided, type State, toggleCompared } from "../state";
import { button } from "../ui/button";
import { type Child, html } from "../ui/elements";
import { Media } from "../ui/media";
import { classifierSections } from "./classifier_sections";
import { neighborsSection } from "./neighbors_section";
import { behind, classMark, note, section, table, valueCell } from "./parts";
import { relabelPart } from "./relabel";
import { TabPage } from "./tab_page";
import { changeTable, contributionBars, decisionNote, whyTitle } from "./why";

const CLASSES_SHOWN = 8;
const LONGEST_NAME = 40;

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
    this.#answers = new ExplanationSource(context, () => this.#again());
    const { state } = context.store;
    this.#page = new TabPage(el, state, (now, width) => this.#draw(now, width));
    this.#page.update(state, true);
  }

  update(state: State, before: State): void {
    const changed = (...names: (keyof State)[]) =>
      names.some((name) => state[name] !== before[name]);
    const hasChanged = changed(
      "object",
      "selection",
      "level",
      "compressed",
      "links",
      "neighborsBy",
      "compared",
      "map",
      "decisions",
    );
    if (state.object !== before.object) {
      this.#allClasses = false;
      this.#allFeatures = false;
    }
    this.#page.update(state, hasChanged);
  }

  destroy(): void {
    this.#page.destroy();
    this.#answers.destroy();
    this.#media.destroy();
  }

  #again(): void {
    this.#page.update(this.#context.store.state, true);
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
      facts.push(["decided", classMark(scene, scene.classes.indexOf(label))]);
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
        [
          { words: "Class" },
          ...(isNumbered ? [{ words: "prototype", numeric: true }] : []),
          { words: distanceName(model), numeric: true },
        ],
        shown.map(({ index, distance }, k) => [
          { words: classMark(scene, index) },
          ...(isNumbered
            ? [{ words: numbers[k] ? `no. ${numbers[k]}` : "", numeric: true }]
            : []),
          {
            words: number(distance),
            numeric: true,
            title: String(distance),
            attributes: { "data-class": index, "data-value": distance },
          },
        ]),
      ),
      shown.length < order.length
        ? button(
            `Show all ${order.length} classes`,
            () => {
              this.#allClasses = true;
              this.#again();
            },
            { key: "classes" },
          )
        : null,
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
    const showAll = () => {
      this.#allFeatures = true;
      this.#again();
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
              { width, showAll: this.#allFeatures ? null : showAll },
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
    const names = toldApart(
      fields.map(({ name }) => name),
      LONGEST_NAME,
    );
    return html(
      "details",
      // Where no model says anything, the values are all there is.
      { class: "ls-section", open: this.#context.scene.model === null },
      html("summary", { "data-key": "values" }, "All values"),
      table(
        "All values",
        [
          { words: fields.some(({ column }) => column) ? "Column" : "Feature" },
          { words: "value", numeric: true },
        ],
        fields.map((field, k) => [
          {
            words: html("span", { class: "ls-cut" }, names[k]),
            title: field.name,
          },
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
