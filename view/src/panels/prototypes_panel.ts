/** The prototypes of the model: who they are, and how their features compare. */

import { type BarGroup, bars } from "../charts/bars";
import type { Context, Panel } from "../context";
import {
  asCategories,
  type CategoryColumn,
  categoryTitle,
  type Field,
  seenFields,
  sumOf,
} from "../scene/fields";
import { count, counted } from "../scene/format";
import { classOf, prototypeName, prototypeNumber } from "../scene/names";
import type { SceneModel } from "../scene/scene";
import { type State, togglePrototype } from "../state";
import { button, type Child, html } from "../ui/elements";
import { Media } from "../ui/media";
import { behind, classMark, note, section, showAll, TabPage } from "./parts";
import { opened, SideBySide } from "./side_by_side";
import { wordsFor } from "./why";

const FEATURES_SHOWN = 12;

export class PrototypesPanel implements Panel {
  readonly #context: Context;
  readonly #media: Media;
  readonly #page: TabPage;
  readonly #sideBySide: SideBySide;
  #allRelevances = false;
  /** Columns that show their categories. */
  readonly #open = new Set<string>();

  constructor(el: HTMLElement, context: Context) {
    this.#context = context;
    this.#media = new Media(context.scene);
    this.#sideBySide = new SideBySide(context, () => this.#page.again());
    const names = ["prototypes", "compared", "object"] as const;
    this.#page = new TabPage(el, context.store, names, (now, width) =>
      this.#draw(now, width),
    );
  }

  destroy(): void {
    this.#page.destroy();
    this.#media.destroy();
  }

  #draw(state: State, width: number): Child[] {
    const { model } = this.#context.scene;
    const compared = this.#sideBySide.draw(state, width);
    if (model === null) {
      return compared.length > 0
        ? compared
        : [
            html("h2", {}, "No prototypes"),
            note(
              this.#context.scene.model_note ||
                "This scene shows a map without a model.",
            ),
          ];
    }
    const k = model.prototypes.labels.data.length;
    return [
      html("h2", {}, `${counted(k, "prototype")} of ${model.name}`),
      model.words ? note(model.words) : null,
      this.#list(model, state.prototypes),
      ...compared,
      this.#relevances(model, width),
      ...state.prototypes.map((p) => this.#behind(model, p)),
    ];
  }

  #list(model: SceneModel, chosen: readonly number[]): HTMLElement {
    const { scene, store } = this.#context;
    const { labels, n_members } = model.prototypes;
    const groups = new Map<number, HTMLElement[]>();
    labels.data.forEach((_, p) => {
      const own = classOf(labels, p);
      const words = prototypeName(scene, model, p);
      const members = n_members.data[p];
      const number = prototypeNumber(model, p);
      const shown = [
        number === null ? null : html("b", {}, String(number)),
        html("span", {}, count(members)),
      ];
      const chip = button(shown, () => togglePrototype(store, p), {
        key: `prototype:${p}`,
        class: "ls-button ls-chip",
        "data-prototype": p,
        "aria-pressed": String(chosen.includes(p)),
        "aria-label": `${words}, ${counted(members, "object")}`,
        title: `${words} stands for ${counted(members, "object")}`,
      });
      groups.set(own, [...(groups.get(own) ?? []), chip]);
    });
    return section(
      "Choose to compare",
      html(
        "div",
        { class: "ls-prototype-list" },
        ...Array.from(groups, ([own, chips]) =>
          html(
            "div",
            { class: "ls-prototype-class" },
            classMark(scene, own),
            html("span", { class: "ls-chips" }, ...chips),
          ),
        ),
      ),
      note("Each with the number of objects it stands for."),
    );
  }

  #relevances(model: SceneModel, width: number): HTMLElement | null {
    const { scene } = this.#context;
    if (model.relevances == null || scene.features.length === 0) {
      return null;
    }
    const values = model.relevances.data;
    const fields = seenFields(scene).sort(
      (a, b) => sumOf(b, values) - sumOf(a, values),
    );
    const shown = this.#allRelevances ? fields : fields.slice(0, FEATURES_SHOWN);
    const words = wordsFor(fields);
    return section(
      `Relevance of ${words}`,
      note(
        `How much the model looks at each ${words.slice(0, -1)}; all together are 1.`,
      ),
      bars(
        shown.flatMap((field) => this.#relevance(field, values)),
        [{ name: "relevance", color: "var(--ls-accent)" }],
        width,
        `Relevance of ${words}`,
      ),
      showAll(
        "relevances",
        `${count(fields.length)} ${words}`,
        shown.length < fields.length,
        () => {
          this.#allRelevances = true;
          this.#page.again();
        },
      ),
    );
  }

  /** The bar of a column, and those of its categories where it is open. */
  #relevance(field: Field, values: ArrayLike<number>): BarGroup[] {
    const { name, features } = field;
    const own = { name, values: [sumOf(field, values)] };
    const categories = asCategories(field.column);
    if (categories === null || features.length < 2) {
      return [own];
    }
    const parts = features.map((j, k) => ({
      name: partName(categories, k) ?? this.#context.scene.features[j].name,
      values: [values[j]],
      isPart: true,
    }));
    parts.sort((a, b) => b.values[0] - a.values[0]);
    return opened(own, parts, this.#open, () => this.#page.again());
  }

  #behind(model: SceneModel, prototype: number): HTMLElement {
    const name = prototypeName(this.#context.scene, model, prototype);
    return section(
      `Real objects behind ${name}`,
      behind(this.#context, this.#media, prototype),
    );
  }
}

/** The category that one feature of a column says yes to; null where it is no one's. */
function partName(column: CategoryColumn, k: number): string | null {
  const m = column.features?.data.length ?? 1;
  const values = column.words.map((_, c) => column.patterns?.data[c * m + k] ?? 0);
  const highest = Math.max(...values);
  const own = values.indexOf(highest);
  return values.lastIndexOf(highest) === own ? categoryTitle(column, own) : null;
}
