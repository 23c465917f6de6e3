/** The prototypes of the model, and a comparison of their features. */

import { type BarGroup, bars } from "../charts/bars";
import type { Context } from "../context";
import { count, number } from "../format";
import { POINT, PROTOTYPES } from "../messages";
import {
  asCategories,
  type CategoryColumn,
  categoryTitle,
  type Field,
  seenFields,
  sumOf,
} from "../scene/fields";
import { classOf, prototypeName, prototypeNumber } from "../scene/names";
import type { SceneModel } from "../scene/scene";
import { type State, togglePrototype } from "../state";
import { button, type Child, html } from "../ui/elements";
import { behind, classMark, note, section, TabPage } from "./parts";
import { SideBySide, withParts } from "./side_by_side";
import { wordsFor } from "./why";

const FEATURES_SHOWN = 12;

export class PrototypesPanel extends TabPage {
  readonly #sideBySide = new SideBySide(this);
  /** Columns whose categories are shown. */
  readonly #open = new Set<string>();

  constructor(el: HTMLElement, context: Context) {
    super(el, context, ["prototypes", "compared", "object"]);
    this.again();
  }

  protected draw(state: State, width: number): Child[] {
    const { model, model_note } = this.context.scene;
    const compared = this.#sideBySide.draw(state, width);
    if (model === null) {
      const words = model_note || PROTOTYPES.noModel;
      return compared.length > 0
        ? compared
        : [html("h2", PROTOTYPES.none), note(words)];
    }
    const k = model.prototypes.labels.data.length;
    return [
      html("h2", PROTOTYPES.title(k, model.name)),
      model.words ? note(model.words) : null,
      this.#list(model, state.prototypes),
      ...compared,
      this.#relevances(model, width),
      ...state.prototypes.map((p) =>
        section(
          PROTOTYPES.behind(prototypeName(this.context.scene, model, p)),
          behind(this, p),
        ),
      ),
    ];
  }

  #list(model: SceneModel, chosen: readonly number[]): HTMLElement {
    const { scene, store } = this.context;
    const { labels, n_members } = model.prototypes;
    const groups = new Map<number, HTMLElement[]>();
    labels.data.forEach((_, p) => {
      const own = classOf(labels, p);
      const words = prototypeName(scene, model, p);
      const members = n_members.data[p];
      const number = prototypeNumber(model, p);
      const parts = [
        number === null ? null : html("b", String(number)),
        html("span", count(members)),
      ];
      const chip = button(parts, () => togglePrototype(store, p), {
        key: `prototype:${p}`,
        class: "ls-button ls-chip",
        "data-prototype": p,
        "aria-pressed": String(chosen.includes(p)),
        "aria-label": PROTOTYPES.chip(words, members),
        title: POINT.represents(words, members),
      });
      groups.set(own, [...(groups.get(own) ?? []), chip]);
    });
    return section(
      PROTOTYPES.choose,
      html(
        "div.ls-prototype-list",
        ...Array.from(groups, ([own, chips]) =>
          html(
            "div.ls-prototype-class",
            classMark(scene, own),
            html("span.ls-chips", ...chips),
          ),
        ),
      ),
      note(PROTOTYPES.counts),
    );
  }

  #relevances(model: SceneModel, width: number): HTMLElement | null {
    const { scene } = this.context;
    if (model.relevances == null || scene.features.length === 0) {
      return null;
    }
    const values = model.relevances.data;
    const fields = seenFields(scene).sort(
      (a, b) => sumOf(b, values) - sumOf(a, values),
    );
    const words = wordsFor(fields);
    const [first, more] = this.firstOf("relevances", fields, FEATURES_SHOWN, words);
    return section(
      PROTOTYPES.relevance(words),
      note(PROTOTYPES.relevanceNote(words, model.relevance_intervals != null)),
      bars(
        first.flatMap((field) => this.#relevance(field, values)),
        [{ name: "relevance", color: "var(--ls-accent)" }],
        width,
        PROTOTYPES.relevance(words),
      ),
      more,
    );
  }

  /** The bar of a column, and the bars of its categories if the column is open. */
  #relevance(field: Field, values: ArrayLike<number>): BarGroup[] {
    const { name, features } = field;
    const own = { name, values: [sumOf(field, values)], ...this.#interval(features) };
    const categories = asCategories(field.column);
    if (categories === null || features.length < 2) {
      return [own];
    }
    const parts = features.map((j, k) => ({
      name: partName(categories, k) ?? this.context.scene.features[j].name,
      values: [values[j]],
      ...this.#interval([j]),
      isPart: true,
    }));
    parts.sort((a, b) => b.values[0] - a.values[0]);
    return withParts(own, parts, this.#open, () => this.again());
  }

  /** The interval of the relevance of one feature; a sum of several features has none. */
  #interval(features: readonly number[]): Pick<BarGroup, "interval" | "notes"> {
    const ends = this.context.scene.model?.relevance_intervals?.data;
    if (ends === undefined || features.length > 1) {
      return {};
    }
    const [low, high] = ends.slice(2 * features[0], 2 * features[0] + 2);
    return {
      interval: { low, high },
      notes: [PROTOTYPES.interval(number(low), number(high))],
    };
  }
}

/** The category that a feature of a column encodes; null if there is none. */
function partName(column: CategoryColumn, k: number): string | null {
  const m = column.features?.data.length ?? 1;
  const values = column.words.map((_, c) => column.patterns?.data[c * m + k] ?? 0);
  const highest = Math.max(...values);
  const own = values.indexOf(highest);
  return values.lastIndexOf(highest) === own ? categoryTitle(column, own) : null;
}
