/** Chosen prototypes and objects side by side: their features, and how far they are apart. */

import { type BarGroup, bars, type Series } from "../charts/bars";
import {
  type Comparison,
  comparison,
  type FieldGroup,
  type Mode,
  type Order,
} from "../charts/prototype_bars";
import type { Context } from "../context";
import { distanceBetween, type Subject, subjectsOf } from "../scene/compared";
import { seenFields } from "../scene/fields";
import type { Scene } from "../scene/scene";
import { count, number } from "../scene/words/format";
import { objectId } from "../scene/words/names";
import { distanceName, lengthUnit } from "../scene/words/units";
import { type State, toggleCompared } from "../state";
import { button } from "../ui/button";
import { type Child, html } from "../ui/elements";
import { swatch } from "../ui/marks";
import { choice, note, section, table } from "./parts";
import { wordsFor } from "./why";

const FEATURES_SHOWN = 12;
const TITLE = "Features side by side";

const MODES = [
  ["scaled", "Scaled"],
  ["raw", "Raw"],
  ["contribution", "Contribution"],
] as const;

const ORDERS = [
  ["relevance", "By relevance"],
  ["difference", "By difference"],
] as const;

const NO_METRIC =
  "Two objects have no distance where each prototype has its own metric.";

export class SideBySide {
  readonly #context: Context;
  readonly #again: () => void;
  #mode: Mode = "scaled";
  #order: Order;
  #asTable = false;
  #allFeatures = false;
  /** Columns that show their categories. */
  readonly #open = new Set<string>();

  /** `again` draws what it stands on once more. */
  constructor(context: Context, again: () => void) {
    this.#context = context;
    this.#again = again;
    this.#order = context.scene.model?.relevances ? "relevance" : "difference";
  }

  draw(state: State, width: number): Child[] {
    const { scene } = this.#context;
    if (scene.features.length === 0) {
      return [];
    }
    const subjects = subjectsOf(scene, state);
    const isEmpty = scene.model !== null && state.prototypes.length === 0;
    if (subjects.length === 0 || (isEmpty && state.compared.length === 0)) {
      return [section(TITLE, this.#objects(state), note(howToChoose(scene)))];
    }
    return [
      section(TITLE, this.#objects(state), ...this.#features(subjects, width)),
      subjects.length > 1 ? distances(scene, subjects) : null,
    ];
  }

  #set(change: () => void): () => void {
    return () => {
      change();
      this.#again();
    };
  }

  /** The objects among them, to be put back; and the one that is open, to be added. */
  #objects({ compared, object }: State): HTMLElement | null {
    const { scene, store } = this.#context;
    const isOpen = object !== null && compared.length > 0 && !compared.includes(object);
    if (compared.length === 0) {
      return null;
    }
    return html(
      "div",
      { class: "ls-buttons", role: "group", "aria-label": "Compared objects" },
      ...compared.map((one) =>
        button([objectId(scene, one), " ×"], () => toggleCompared(store, one), {
          key: `compared:${one}`,
          "data-compared": one,
          "aria-label": `Put ${objectId(scene, one)} back`,
          title: `Put ${objectId(scene, one)} back`,
        }),
      ),
      isOpen
        ? button(`+ ${objectId(scene, object)}`, () => toggleCompared(store, object), {
            key: "compare-open",
            title: `Compare ${objectId(scene, object)}, too`,
          })
        : null,
    );
  }

  #features(subjects: readonly Subject[], width: number): Child[] {
    const { scene } = this.#context;
    const compared = comparison(scene, subjects, this.#mode, this.#order);
    const { series, groups, axis } = compared;
    const shown = this.#allFeatures ? groups : groups.slice(0, FEATURES_SHOWN);
    const drawn = shown.flatMap((group) => this.#opened(group));
    const isEmpty = series.length === 0;
    return [
      this.#switches(),
      ...(isEmpty
        ? [note("Choose a second prototype, or an object, to compare with.")]
        : [
            key(series),
            note(this.#modeWords(subjects[0], compared)),
            this.#asTable
              ? featureTable(drawn, series)
              : bars(drawn, series, width, TITLE, axis),
          ]),
      html(
        "div",
        { class: "ls-buttons" },
        shown.length < groups.length && !isEmpty
          ? button(
              `Show all ${count(groups.length)} ${wordsFor(seenFields(scene))}`,
              this.#set(() => {
                this.#allFeatures = true;
              }),
              { key: "features" },
            )
          : null,
        button(
          "As table",
          this.#set(() => {
            this.#asTable = !this.#asTable;
          }),
          { key: "as-table", "aria-pressed": String(this.#asTable) },
        ),
      ),
    ];
  }

  /** A column, and the features of its categories where it is open. */
  #opened(group: FieldGroup): BarGroup[] {
    const { name, parts } = group;
    if (parts.length === 0) {
      return [group];
    }
    const isOpen = this.#open.has(name);
    const toggle = this.#set(() => {
      if (!this.#open.delete(name)) {
        this.#open.add(name);
      }
    });
    return [{ ...group, opens: { isOpen, toggle } }, ...(isOpen ? parts : [])];
  }

  #modeWords({ name }: Subject, { axis, groups }: Comparison): string {
    const between = groups.some(({ categories }) =>
      categories?.some((words) => words.startsWith("≈")),
    )
      ? " ≈ is the nearest category, where a prototype is between them."
      : "";
    if (this.#mode === "scaled") {
      return `Values from the lowest (0) to the highest (1) of the training data.${between}`;
    }
    if (this.#mode === "raw") {
      const where =
        axis === "each"
          ? "each feature on an axis of its own from zero"
          : "all on one axis";
      return `Values in units of the data, ${where}.${between}`;
    }
    return (
      `What each feature adds to the squared distance from ${name}. ` +
      "A feature may take something away where features work together."
    );
  }

  #switches(): HTMLElement {
    const { model } = this.#context.scene;
    return html(
      "div",
      { class: "ls-switches" },
      choice(
        "Values",
        MODES.filter(([mode]) => mode !== "contribution" || model?.metric != null),
        this.#mode,
        (mode) =>
          this.#set(() => {
            this.#mode = mode;
          })(),
      ),
      model?.relevances == null
        ? null
        : choice("Order", ORDERS, this.#order, (order) =>
            this.#set(() => {
              this.#order = order;
            })(),
          ),
    );
  }
}

function howToChoose({ model }: Scene): string {
  const objects =
    "Objects come here by “Compare”, which the pages Selection and Object have";
  return model === null
    ? `Nothing is compared yet. ${objects}.`
    : `Choose a prototype here or on the map of classes. ${objects}, or by a click ` +
        "with Shift on the map of classes.";
}

/** Between all that are compared, each pair once. */
function distances(scene: Scene, subjects: readonly Subject[]): HTMLElement {
  const { model, neighbors } = scene;
  const rows = subjects.map((a, i) =>
    subjects.slice(0, i).map((b) => distanceBetween(scene, a, b)),
  );
  const unit = model
    ? `As the model measures them: ${distanceName(model)}.`
    : `Distance in the data, ${lengthUnit(neighbors?.unit ?? "model")}.`;
  const isUnknown = rows.some((row) => row.some(Number.isNaN));
  const why =
    model?.metric?.kind === "local"
      ? NO_METRIC
      : "– where this page can't tell: not all features that count are in it.";
  return section(
    "Distances between them",
    note(unit),
    table(
      "Distances between them",
      [
        { words: "" },
        ...subjects.slice(0, -1).map(({ name }, k) => ({
          words: String(k + 1),
          numeric: true,
          title: name,
        })),
      ],
      rows.map((row, i) => [
        { words: `${i + 1}  ${subjects[i].name}`, title: subjects[i].name },
        ...subjects.slice(0, -1).map((_, j) =>
          j < row.length
            ? {
                words: Number.isNaN(row[j]) ? "–" : number(row[j]),
                numeric: true,
                title: String(row[j]),
                attributes: { "data-pair": `${i},${j}`, "data-value": row[j] },
              }
            : { words: "" },
        ),
      ]),
    ),
    isUnknown ? note(why) : null,
  );
}

function key(series: readonly Series[]): HTMLElement {
  return html(
    "ul",
    { class: "ls-key" },
    ...series.map(({ name, color, opacity }) =>
      html("li", { title: name }, swatch(color, opacity), html("span", {}, name)),
    ),
  );
}

function featureTable(
  groups: readonly BarGroup[],
  series: readonly Series[],
): HTMLElement {
  return table(
    TITLE,
    [
      { words: "Feature" },
      ...series.map(({ name }) => ({ words: name, numeric: true, title: name })),
    ],
    groups.map((group) => [
      { words: group.name, title: group.name },
      ...group.values.map((value, k) => ({
        words: group.categories?.[k] ?? group.words?.[k] ?? number(value),
        numeric: true,
        attributes: { "data-value": value },
      })),
    ]),
  );
}
