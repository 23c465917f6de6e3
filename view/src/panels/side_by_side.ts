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
import { count, number } from "../scene/format";
import { distanceName, lengthUnit, objectId } from "../scene/names";
import type { Scene } from "../scene/scene";
import { type State, toggleCompared } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { swatch } from "../ui/marks";
import { choice, note, section, showAll, table } from "./parts";
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

interface Look {
  readonly mode: Mode;
  readonly order: Order;
  readonly asTable: boolean;
  readonly isLong: boolean;
}

export class SideBySide {
  readonly #context: Context;
  readonly #again: () => void;
  #look: Look;
  /** Columns that show their categories. */
  readonly #open = new Set<string>();

  /** `again` draws what it stands on once more. */
  constructor(context: Context, again: () => void) {
    this.#context = context;
    this.#again = again;
    const order = context.scene.model?.relevances ? "relevance" : "difference";
    this.#look = { mode: "scaled", order, asTable: false, isLong: false };
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

  #set(change: Partial<Look>): void {
    this.#look = { ...this.#look, ...change };
    this.#again();
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
    const { mode, order, asTable, isLong } = this.#look;
    const compared = comparison(scene, subjects, mode, order);
    const { series, groups, axis } = compared;
    const shown = isLong ? groups : groups.slice(0, FEATURES_SHOWN);
    const drawn = shown.flatMap((group) => this.#opened(group));
    const isEmpty = series.length === 0;
    return [
      this.#switches(),
      ...(isEmpty
        ? [note("Choose a second prototype, or an object, to compare with.")]
        : [
            key(series),
            note(this.#modeWords(subjects[0], compared)),
            asTable
              ? featureTable(drawn, series)
              : bars(drawn, series, width, TITLE, axis),
          ]),
      html(
        "div",
        { class: "ls-buttons" },
        showAll(
          "features",
          `${count(groups.length)} ${wordsFor(seenFields(scene))}`,
          shown.length < groups.length && !isEmpty,
          () => this.#set({ isLong: true }),
        ),
        button("As table", () => this.#set({ asTable: !asTable }), {
          key: "as-table",
          "aria-pressed": String(asTable),
        }),
      ),
    ];
  }

  /** A column, and the features of its categories where it is open. */
  #opened(group: FieldGroup): BarGroup[] {
    const { parts } = group;
    return parts.length > 0 ? opened(group, parts, this.#open, this.#again) : [group];
  }

  #modeWords({ name }: Subject, { axis, groups }: Comparison): string {
    const between = groups.some(({ categories }) =>
      categories?.some((words) => words.startsWith("≈")),
    )
      ? " ≈ is the nearest category, where a prototype is between them."
      : "";
    const { mode } = this.#look;
    if (mode === "scaled") {
      return `Values from the lowest (0) to the highest (1) of the training data.${between}`;
    }
    if (mode === "raw") {
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
    const { mode, order } = this.#look;
    return html(
      "div",
      { class: "ls-switches" },
      choice(
        "Values",
        MODES.filter(([one]) => one !== "contribution" || model?.metric != null),
        mode,
        (chosen) => this.#set({ mode: chosen }),
      ),
      model?.relevances == null
        ? null
        : choice("Order", ORDERS, order, (chosen) => this.#set({ order: chosen })),
    );
  }
}

/** A column, and its parts where it is open; its name opens and closes it. */
export function opened(
  group: BarGroup,
  parts: readonly BarGroup[],
  open: Set<string>,
  again: () => void,
): BarGroup[] {
  const isOpen = open.has(group.name);
  const toggle = () => {
    if (!open.delete(group.name)) {
      open.add(group.name);
    }
    again();
  };
  return [{ ...group, opens: { isOpen, toggle } }, ...(isOpen ? parts : [])];
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
        "",
        ...subjects
          .slice(0, -1)
          .map(({ name: title }, k) => figure(`${k + 1}`, { title })),
      ],
      rows.map((row, i) => [
        { words: `${i + 1}  ${subjects[i].name}`, title: subjects[i].name },
        ...subjects.slice(0, -1).map((_, j) =>
          j < row.length
            ? figure(Number.isNaN(row[j]) ? "–" : number(row[j]), {
                title: String(row[j]),
                attributes: { "data-pair": `${i},${j}`, "data-value": row[j] },
              })
            : "",
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
    ["Feature", ...series.map(({ name }) => figure(name, { title: name }))],
    groups.map((group) => [
      { words: group.name, title: group.name },
      ...group.values.map((value, k) =>
        figure(group.categories?.[k] ?? group.words?.[k] ?? number(value), {
          attributes: { "data-value": value },
        }),
      ),
    ]),
  );
}
