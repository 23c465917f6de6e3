/** One object: what the model says of it, why, and what would change its mind. */

import { Answers } from "../answers";
import { type Child, html } from "../elements";
import { counted, number, percent } from "../format";
import { Media } from "../media";
import { classOf, objectId, prototypeName } from "../names";
import { nearestClasses } from "../nearest_classes";
import type { Context, Panel } from "../panel";
import type { SceneModel } from "../scene";
import type { State } from "../state";
import { behind, button, classMark, note, section, table } from "./parts";
import { TabPage } from "./tab_page";
import { changeTable, contributionBars } from "./why";

const CLASSES_SHOWN = 8;

export class ObjectPanel implements Panel {
  readonly #context: Context;
  readonly #media: Media;
  readonly #page: TabPage;
  readonly #answers: Answers;
  #allClasses = false;
  #allFeatures = false;

  constructor(el: HTMLElement, context: Context) {
    this.#context = context;
    this.#media = new Media(context.scene);
    this.#answers = new Answers(context.asker, () => this.#again());
    const { state } = context.store;
    this.#page = new TabPage(el, state, (now, width) => this.#draw(now, width));
    this.#page.update(state, true);
  }

  update(state: State, before: State): void {
    const hasChanged = state.object !== before.object;
    if (hasChanged) {
      this.#allClasses = false;
      this.#allFeatures = false;
    }
    this.#page.update(state, hasChanged);
  }

  destroy(): void {
    this.#page.destroy();
    this.#media.destroy();
  }

  #again(): void {
    this.#page.update(this.#context.store.state, true);
  }

  #draw({ object }: State, width: number): Child[] {
    const { model } = this.#context.scene;
    if (object === null) {
      return [
        html("h2", {}, "No object chosen"),
        note(
          "Double-click a point on a map, or click an id in the table of chosen points.",
        ),
      ];
    }
    return [
      ...this.#identity(object),
      ...(model?.class_distances ? [this.#distances(model, object)] : []),
      ...(model === null ? [] : this.#explained(model, object, width)),
      ...(model === null ? [] : [this.#behind(model, object)]),
      this.#features(object),
    ];
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
    if (predictions !== null) {
      facts.push(["prediction", classMark(scene, given)]);
    }
    if (certainty !== null) {
      facts.push(["confidence", percent(certainty.data[object])]);
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
      isWrong ? note("The model gives it another class than the data do.") : null,
      held_out?.data[object] ? note("The map was not fitted to this object.") : null,
    ];
  }

  #distances(model: SceneModel, object: number): HTMLElement {
    const { scene } = this.#context;
    const order = nearestClasses(model, object);
    const shown = this.#allClasses ? order : order.slice(0, CLASSES_SHOWN);
    return section(
      "Distance to each class",
      table(
        "Distance to each class",
        [
          { words: "Class" },
          { words: "prototype", numeric: true },
          { words: "distance", numeric: true },
        ],
        shown.map(({ index, prototype, distance }) => [
          { words: classMark(scene, index) },
          prototypeCell(prototypeName(scene, model, prototype)),
          {
            words: number(distance),
            numeric: true,
            title: String(distance),
            attributes: { "data-class": index, "data-value": distance },
          },
        ]),
      ),
      shown.length < order.length
        ? button(`Show all ${order.length} classes`, "classes", () => {
            this.#allClasses = true;
            this.#again();
          })
        : null,
    );
  }

  #explained(model: SceneModel, object: number, width: number): HTMLElement[] {
    const { scene } = this.#context;
    const answer = this.#answers.of(model, object);
    const title = "Why this decision";
    if (answer.state !== "answered") {
      const role = answer.state === "asking" ? "status" : "note";
      return [section(title, html("p", { class: "ls-note", role }, answer.words))];
    }
    const showAll = () => {
      this.#allFeatures = true;
      this.#again();
    };
    return [
      section(
        title,
        ...contributionBars(scene, nearestClasses(model, object), answer.explanation, {
          width,
          showAll: this.#allFeatures ? null : showAll,
        }),
      ),
      section("The smallest change", ...changeTable(scene, object, answer.explanation)),
    ];
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
    const { features } = this.#context.scene;
    if (features.length === 0) {
      return null;
    }
    return html(
      "details",
      // Where no model says anything, the values are all there is.
      { class: "ls-section", open: this.#context.scene.model === null },
      html("summary", { "data-key": "values" }, "All values"),
      table(
        "All values",
        [{ words: "Feature" }, { words: "value", numeric: true }],
        features.map(({ name, values }) => [
          { words: html("span", { class: "ls-cut" }, name), title: name },
          { words: number(values[object]), numeric: true },
        ]),
      ),
    );
  }
}

/** The number of a prototype: the class stands beside it. */
function prototypeCell(name: string) {
  return { words: name.slice(name.lastIndexOf(" ") + 1), numeric: true, title: name };
}
