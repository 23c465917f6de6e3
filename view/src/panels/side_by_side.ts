/** Selected prototypes and points side by side: their features and distances. */

import { type BarGroup, bars, type Series } from "../charts/bars";
import {
  type Comparison,
  comparison,
  type Mode,
  type Order,
} from "../charts/prototype_bars";
import { number } from "../format";
import { COMPARED, NAMES } from "../messages";
import { distanceBetween, type Subject, subjectsOf } from "../scene/compared";
import { seenFields } from "../scene/fields";
import { distanceName, objectId } from "../scene/names";
import type { Scene } from "../scene/scene";
import { type State, toggleCompared } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { swatch } from "../ui/marks";
import { choice, note, section, type TabPage, table } from "./parts";
import { wordsFor } from "./why";

const FEATURES_SHOWN = 12;

const MODES = [
  ["scaled", "Scaled"],
  ["raw", "Raw"],
  ["contribution", "Contribution"],
] as const;

const ORDERS = [
  ["relevance", "By relevance"],
  ["difference", "By difference"],
] as const;

interface Look {
  readonly mode: Mode;
  readonly order: Order;
  readonly asTable: boolean;
}

export class SideBySide {
  #look: Look;
  /** Columns whose categories are shown. */
  readonly #open = new Set<string>();

  constructor(private readonly page: TabPage) {
    const order = page.context.scene.model?.relevances ? "relevance" : "difference";
    this.#look = { mode: "scaled", order, asTable: false };
  }

  draw(state: State, width: number): Child[] {
    const { scene } = this.page.context;
    if (scene.features.length === 0) {
      return [];
    }
    const subjects = subjectsOf(scene, state);
    const isEmpty = scene.model !== null && state.prototypes.length === 0;
    if (subjects.length === 0 || (isEmpty && state.compared.length === 0)) {
      return [section(COMPARED.title, this.#objects(state), note(howToChoose(scene)))];
    }
    return [
      section(COMPARED.title, this.#objects(state), ...this.#features(subjects, width)),
      subjects.length > 1 ? distances(scene, subjects) : null,
    ];
  }

  #set(change: Partial<Look>): void {
    this.#look = { ...this.#look, ...change };
    this.page.again();
  }

  /** The compared points, which can be removed, and the open point, which can be added. */
  #objects({ compared, object }: State): HTMLElement | null {
    const { scene, store } = this.page.context;
    const isOpen = object !== null && compared.length > 0 && !compared.includes(object);
    if (compared.length === 0) {
      return null;
    }
    return html(
      "div.ls-buttons",
      { role: "group", "aria-label": COMPARED.label },
      ...compared.map((one) =>
        button([objectId(scene, one), " ×"], () => toggleCompared(store, one), {
          key: `compared:${one}`,
          "data-compared": one,
          "aria-label": COMPARED.remove(objectId(scene, one)),
          title: COMPARED.remove(objectId(scene, one)),
        }),
      ),
      isOpen
        ? button(`+ ${objectId(scene, object)}`, () => toggleCompared(store, object), {
            key: "compare-open",
            title: COMPARED.add(objectId(scene, object)),
          })
        : null,
    );
  }

  #features(subjects: readonly Subject[], width: number): Child[] {
    const { scene } = this.page.context;
    const { mode, order, asTable } = this.#look;
    const compared = comparison(scene, subjects, mode, order);
    const { series, groups, axis } = compared;
    const names = wordsFor(seenFields(scene));
    const [first, more] = this.page.firstOf("features", groups, FEATURES_SHOWN, names);
    const drawn = first.flatMap((group) =>
      group.parts.length > 0
        ? withParts(group, group.parts, this.#open, () => this.page.again())
        : [group],
    );
    const isEmpty = series.length === 0;
    return [
      this.#switches(),
      ...(isEmpty
        ? [note(COMPARED.second)]
        : [
            key(series),
            note(this.#modeWords(subjects[0], compared)),
            asTable
              ? featureTable(drawn, series)
              : bars(drawn, series, width, COMPARED.title, axis),
          ]),
      html(
        "div.ls-buttons",
        isEmpty ? null : more,
        button(COMPARED.asTable, () => this.#set({ asTable: !asTable }), {
          key: "as-table",
          "aria-pressed": String(asTable),
        }),
      ),
    ];
  }

  #modeWords({ name }: Subject, { axis, groups }: Comparison): string {
    const between = groups.some(({ categories }) =>
      categories?.some((words) => words.startsWith("≈")),
    )
      ? COMPARED.between
      : "";
    const { mode } = this.#look;
    return mode === "contribution"
      ? COMPARED.contribution(name)
      : (mode === "raw" ? COMPARED.raw(axis === "each") : COMPARED.scaled) + between;
  }

  #switches(): HTMLElement {
    const { model } = this.page.context.scene;
    const { mode, order } = this.#look;
    return html(
      "div.ls-switches",
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

/** A column, and its parts if it is open; a click on its name opens or closes it. */
export function withParts(
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
  return model === null
    ? `${COMPARED.nothing} ${COMPARED.points}`
    : `${COMPARED.prototypes} ${COMPARED.points} ${COMPARED.shiftClick}`;
}

/** Distances between all compared prototypes and points, each pair once. */
function distances(scene: Scene, subjects: readonly Subject[]): HTMLElement {
  const { model, neighbors } = scene;
  const rows = subjects.map((a, i) =>
    subjects.slice(0, i).map((b) => distanceBetween(scene, a, b)),
  );
  const unit = model
    ? COMPARED.byModel(distanceName(model))
    : COMPARED.inData(NAMES.units[neighbors?.unit ?? "model"]);
  const isUnknown = rows.some((row) => row.some(Number.isNaN));
  const why = model?.metric?.kind === "local" ? COMPARED.noMetric : COMPARED.unknown;
  return section(
    COMPARED.distances,
    note(unit),
    table(
      COMPARED.distances,
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
    "ul.ls-key",
    ...series.map(({ name, color, opacity }) =>
      html("li", { title: name }, swatch(color, opacity), html("span", name)),
    ),
  );
}

function featureTable(
  groups: readonly BarGroup[],
  series: readonly Series[],
): HTMLElement {
  return table(
    COMPARED.title,
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
