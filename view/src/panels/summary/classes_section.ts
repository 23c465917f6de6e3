/** Which classes are mixed up, and what separates them: any two can be compared. */

import type { Context } from "../../context";
import { count, percent } from "../../scene/format";
import { pointsOf } from "../../scene/marked_points";
import { classOf, classOrder, classTitle, inWords } from "../../scene/names";
import type { Audit, ClassDifference, Scene } from "../../scene/scene";
import { choose, isSelection, type State, toggleSelection } from "../../state";
import { button, type Child, figure, html, select } from "../../ui/elements";
import { lightMark } from "../../ui/lights";
import {
  differenceList,
  type FieldDifferences,
  fieldDifferences,
} from "../differences";
import { classMark, namedClass, note, section, table } from "../parts";
import { line, lines } from "./lines";

/** The number of pairs that are listed. */
const PAIRS = 5;

/** A pair of classes as a line tells of it. */
interface Pair {
  readonly a: string;
  readonly b: string;
  readonly share: number;
  readonly points: Uint32Array;
}

export class ClassesSection {
  readonly #context: Context;
  readonly #again: () => void;
  /** The classes that are compared. */
  #pair: readonly [number, number] | null = null;
  #differing: (FieldDifferences & { readonly key: string }) | null = null;
  #showsAll = false;

  constructor(context: Context, again: () => void) {
    this.#context = context;
    this.#again = again;
  }

  draw(state: State): Child[] {
    const { scene } = this.#context;
    if (scene.labels === null || scene.classes.length < 2) {
      return [];
    }
    return [
      this.#mixed(scene.audit ?? null, state),
      this.#parting(scene.audit ?? null),
    ];
  }

  #mixed(audit: Audit | null, { map }: State): HTMLElement | null {
    const { scene } = this.#context;
    const pairs = audit ? auditPairs(audit) : this.#pairsOnMap(map);
    if (pairs.length === 0 && !audit) {
      return null;
    }
    const nothing = {
      key: "pair",
      mark: lightMark("good"),
      words: "No two classes are mixed up.",
    };
    const items = pairs.slice(0, PAIRS).map(({ a, b, share, points }) =>
      line(this.#context, {
        key: `pair:${a}:${b}`,
        words: html(
          "span",
          { class: "ls-pair" },
          namedClass(scene, a),
          html("span", {}, "and"),
          namedClass(scene, b),
          html("span", { class: "ls-figure" }, percent(share)),
        ),
        points,
      }),
    );
    return section(
      "Classes that are mixed up",
      lines(...(items.length > 0 ? items : [line(this.#context, nothing)])),
      note(
        audit
          ? "The share of their objects that models take for the other one, of objects that they did not see."
          : "The share of their held-out points that the map shows as the other class.",
      ),
      audit ? this.#confusion(audit) : null,
    );
  }

  #confusion(audit: Audit): HTMLElement | null {
    const cells = confusionTable(this.#context, audit);
    const remember = () => {
      this.#showsAll = details.open;
    };
    const details = html(
      "details",
      { class: "ls-confusion", open: this.#showsAll, ontoggle: remember },
      html("summary", { "data-key": "confusion" }, "All classes"),
      cells,
    );
    return cells && details;
  }

  /** What the certificate of a map says, where the table was not audited. */
  #pairsOnMap(map: number): Pair[] {
    const { scene } = this.#context;
    const pairs = scene.maps[map].honesty?.pairs ?? [];
    return pairs.map((pair) => ({
      ...pair,
      points: pointsOf(scene, this.#index(pair.a), this.#index(pair.b)),
    }));
  }

  #parting(audit: Audit | null): HTMLElement | null {
    const { scene } = this.#context;
    if (scene.features.length === 0) {
      return null;
    }
    const items = (audit?.class_differences ?? []).map((pair) => this.#parted(pair));
    return section(
      "What separates the classes",
      items.length > 0 ? lines(...items) : null,
      this.#comparison(),
    );
  }

  /** Chooses both classes, and compares them below. */
  #parted({ a, b, effects, accuracy }: ClassDifference): HTMLElement {
    const { scene, store } = this.#context;
    const pair = [this.#index(a), this.#index(b)] as const;
    const names = effects.map(({ feature }) => feature).join(", ");
    const right = accuracy.at(-1);
    return line(this.#context, {
      key: `parts:${a}:${b}`,
      words: html(
        "span",
        { class: "ls-pair" },
        namedClass(scene, a),
        html("span", {}, "from"),
        namedClass(scene, b),
      ),
      meaning:
        right === undefined
          ? "No feature does."
          : `${names}: they tell ${percent(right)} of new objects`,
      act: () => {
        this.#pair = pair;
        choose(store, pointsOf(scene, ...pair), { level: "data" });
        this.#again();
      },
      isPressed: this.#pair?.[0] === pair[0] && this.#pair[1] === pair[1],
    });
  }

  /** Two classes of one's own choice. */
  #comparison(): HTMLElement {
    const { scene, store } = this.#context;
    const [a, b] = this.#pair ?? [-1, -1];
    const compare = (pair: readonly [number, number]) => {
      this.#pair = pair;
      if (pair[0] >= 0 && pair[1] >= 0) {
        choose(store, pointsOf(scene, ...pair));
      }
      this.#again();
    };
    return html(
      "div",
      { class: "ls-comparison" },
      html(
        "div",
        { class: "ls-buttons ls-steps" },
        this.#select("One class", "compare:a", a, (index) => compare([index, b])),
        html("span", {}, "from"),
        this.#select("The other class", "compare:b", b, (index) => compare([a, index])),
      ),
      ...(a >= 0 && b >= 0 && a !== b ? this.#differences(a, b) : []),
    );
  }

  #differences(a: number, b: number): HTMLElement[] {
    const { scene } = this.#context;
    // All values are looked at: once for a pair, however often the page is drawn.
    const key = `${a}:${b}`;
    this.#differing =
      this.#differing?.key === key ? this.#differing : { key, ...this.#compared(a, b) };
    const [here, rest] = [a, b].map(
      (index) => `in ${inWords(classTitle(scene, index))}`,
    );
    return differenceList(this.#differing, { here, rest, one: false });
  }

  #compared(a: number, b: number): FieldDifferences {
    const { scene } = this.#context;
    const [one, other] = [pointsOf(scene, a), pointsOf(scene, b)];
    return fieldDifferences(scene, one, other);
  }

  #select(
    label: string,
    key: string,
    index: number,
    onchoose: (index: number) => void,
  ): HTMLElement {
    const { scene } = this.#context;
    const options = classOrder(scene).map(
      (one) => [String(one), classTitle(scene, one)] as const,
    );
    return select(options, (value) => onchoose(Number(value)), {
      class: "ls-select",
      "aria-label": label,
      "data-key": key,
      chosen: index < 0 ? undefined : String(index),
      first: "a class",
    });
  }

  #index(name: string): number {
    return this.#context.scene.classes.indexOf(name);
  }
}

function auditPairs({ pairs }: Audit): Pair[] {
  return pairs.map(({ rows, ...pair }) => ({ ...pair, points: rows.data }));
}

// Predicted classes of the held-out points of each class: a table whose cells can be chosen.

/** More classes have no room. */
const MOST_CLASSES = 20;

/** The points of each class (row) that are taken for each class (column); or some of them. */
function confusion(
  { labels, classes }: Scene,
  { taken_for }: Pick<Audit, "taken_for">,
  among: Scene["held_out"] = null,
): number[][][] {
  const cells = classes.map(() => classes.map((): number[] => []));
  const n = labels?.data.length ?? 0;
  for (let i = 0; labels && i < n; i++) {
    const [given, taken] = [classOf(labels, i), classOf(taken_for, i)];
    if (among === null || among.data[i]) {
      cells[given]?.[taken]?.push(i);
    }
  }
  return cells;
}

/** Null where there are too many classes. */
export function confusionTable(
  context: Context,
  audit: Pick<Audit, "taken_for">,
  among: Scene["held_out"] = null,
): HTMLElement | null {
  const { scene } = context;
  if (scene.classes.length > MOST_CLASSES) {
    return null;
  }
  const cells = confusion(scene, audit, among);
  const names = scene.classes.map((_, index) => classTitle(scene, index));
  return table(
    "What unseen objects are taken for",
    ["taken for", ...names.map((name) => figure(name, { title: name }))],
    cells.map((row, given) => [
      classMark(scene, given),
      ...row.map((points, taken) => figure(cell(context, points, given, taken, row))),
    ]),
  );
}

function cell(
  { scene, store }: Context,
  points: readonly number[],
  given: number,
  taken: number,
  row: readonly (readonly number[])[],
): HTMLElement | string {
  if (points.length === 0) {
    return "·";
  }
  const all = row.reduce((sum, part) => sum + part.length, 0);
  const chosen = Uint32Array.from(points);
  const [own, other] = [given, taken].map((index) => inWords(classTitle(scene, index)));
  const words = `${count(points.length)} of ${own}, taken for ${other} (${percent(points.length / all)})`;
  return button(count(points.length), () => toggleSelection(store, chosen), {
    key: `confusion:${given}:${taken}`,
    class: given === taken ? "ls-cell" : "ls-cell ls-cell-wrong",
    "aria-label": words,
    "aria-pressed": String(isSelection(store.state, chosen)),
    title: words,
  });
}
