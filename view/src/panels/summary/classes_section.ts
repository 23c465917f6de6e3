/** Confused classes, and features that separate two classes; any two can be compared. */

import type { Context } from "../../context";
import { capitalized, count } from "../../format";
import { MEASURED, QUALITY, SUMMARY } from "../../messages";
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
import { classMark, namedClass, section, type TabPage, table } from "../parts";
import { howMeasured, line, lines } from "./lines";

/** The number of pairs in the list. */
const PAIRS = 5;

export class ClassesSection {
  /** The classes that are compared. */
  #pair: readonly [number, number] | null = null;
  #differing: (FieldDifferences & { readonly key: string }) | null = null;
  #showsAll = false;

  constructor(private readonly page: TabPage) {}

  draw(state: State): Child[] {
    const { scene } = this.page.context;
    return scene.labels === null || scene.classes.length < 2
      ? []
      : [this.#confused(scene.audit, state), this.#features(scene.audit)];
  }

  /** Confused classes from the audit or, without an audit, from the test of the map. */
  #confused(audit: Audit | null, { map }: State): HTMLElement | null {
    const { context } = this.page;
    const { scene } = context;
    const pairs = audit?.pairs ?? scene.maps[map].honesty?.pairs ?? [];
    if (pairs.length === 0 && !audit) {
      return null;
    }
    const light = audit?.lights[1];
    const nothing = {
      key: "pair",
      mark: lightMark("good"),
      words: capitalized(light?.figure ?? ""),
    };
    const items = pairs.slice(0, PAIRS).map(({ a, b, share, rows }) =>
      line(context, {
        key: `pair:${a}:${b}`,
        words: html(
          "span.ls-pair",
          ...this.#classes(a, b),
          html("span.ls-figure", SUMMARY.share(share)),
        ),
        points: audit ? rows.data : pointsOf(scene, this.#index(a), this.#index(b)),
      }),
    );
    return section(
      audit ? SUMMARY.confused : QUALITY.confused,
      lines(...(items.length > 0 ? items : [line(context, nothing)])),
      audit ? this.#confusion(audit) : null,
      howMeasured(light?.measured ?? MEASURED.confusedOnMap),
    );
  }

  #confusion(audit: Audit): HTMLElement | null {
    const cells = confusionTable(this.page.context, audit);
    const remember = () => {
      this.#showsAll = details.open;
    };
    const details = html(
      "details.ls-confusion",
      { open: this.#showsAll, ontoggle: remember },
      html("summary", { "data-key": "confusion" }, SUMMARY.allClasses),
      cells,
    );
    return cells && details;
  }

  #features(audit: Audit | null): HTMLElement | null {
    if (this.page.context.scene.features.length === 0) {
      return null;
    }
    const items = (audit?.class_differences ?? []).map((pair) => this.#feature(pair));
    const light = items.length > 0 ? audit?.lights[2] : undefined;
    return section(
      light?.question ?? SUMMARY.compare,
      light ? lines(...items) : null,
      this.#comparison(),
      light ? howMeasured(light.measured) : null,
    );
  }

  /** A line that selects both classes, and compares them below. */
  #feature({ a, b, best, accuracy }: ClassDifference): HTMLElement {
    const { scene, store } = this.page.context;
    const pair = [this.#index(a), this.#index(b)] as const;
    const names = (best.at(-1) ?? []).join(", ");
    const share = accuracy.at(-1);
    return line(this.page.context, {
      key: `features:${a}:${b}`,
      words: html("span.ls-pair", ...this.#classes(a, b)),
      meaning: share === undefined ? SUMMARY.noFeature : SUMMARY.accuracy(names, share),
      act: () => {
        this.#pair = pair;
        choose(store, pointsOf(scene, ...pair), { level: "data" });
        this.page.again();
      },
      isPressed: this.#pair?.[0] === pair[0] && this.#pair[1] === pair[1],
    });
  }

  /** A comparison of two classes that the user selects. */
  #comparison(): HTMLElement {
    const { scene, store } = this.page.context;
    const [a, b] = this.#pair ?? [-1, -1];
    const compare = (pair: readonly [number, number]) => {
      this.#pair = pair;
      if (pair[0] >= 0 && pair[1] >= 0) {
        choose(store, pointsOf(scene, ...pair));
      }
      this.page.again();
    };
    return html(
      "div.ls-comparison",
      html(
        "div.ls-buttons.ls-steps",
        this.#select(SUMMARY.firstClass, "compare:a", a, (index) =>
          compare([index, b]),
        ),
        html("span", "and"),
        this.#select(SUMMARY.secondClass, "compare:b", b, (index) =>
          compare([a, index]),
        ),
      ),
      ...(a >= 0 && b >= 0 && a !== b ? this.#differences(a, b) : []),
    );
  }

  #differences(a: number, b: number): HTMLElement[] {
    const { scene } = this.page.context;
    // The comparison reads all values, so it is computed once for each pair.
    const key = `${a}:${b}`;
    if (this.#differing?.key !== key) {
      const compared = fieldDifferences(scene, pointsOf(scene, a), pointsOf(scene, b));
      this.#differing = { key, ...compared };
    }
    const [here, others] = [a, b].map((index) =>
      SUMMARY.inClass(inWords(classTitle(scene, index))),
    );
    return differenceList(this.#differing, { here, others, one: false });
  }

  #select(
    label: string,
    key: string,
    index: number,
    onchoose: (index: number) => void,
  ): HTMLElement {
    const { scene } = this.page.context;
    const options = classOrder(scene).map(
      (one) => [String(one), classTitle(scene, one)] as const,
    );
    return select(options, (value) => onchoose(Number(value)), {
      class: "ls-select",
      "aria-label": label,
      "data-key": key,
      chosen: index < 0 ? undefined : String(index),
      first: SUMMARY.aClass,
    });
  }

  #classes(a: string, b: string): HTMLElement[] {
    const { scene } = this.page.context;
    return [namedClass(scene, a), html("span", "and"), namedClass(scene, b)];
  }

  #index(name: string): number {
    return this.page.context.scene.classes.indexOf(name);
  }
}

// Predicted classes of the held-out points of each class: a table whose cells select points.

/** There is no room for more classes. */
const MOST_CLASSES = 20;

/** The points of each class (row) by predicted class (column), for all points or a subset. */
function confusion(
  { labels, classes }: Scene,
  { taken_for }: Pick<Audit, "taken_for">,
  among: Scene["held_out"] = null,
): number[][][] {
  const cells = classes.map(() => classes.map((): number[] => []));
  const n = labels?.data.length ?? 0;
  for (let i = 0; labels && i < n; i++) {
    const [given, predicted] = [classOf(labels, i), classOf(taken_for, i)];
    if (among === null || among.data[i]) {
      cells[given]?.[predicted]?.push(i);
    }
  }
  return cells;
}

/** Null if there are too many classes. */
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
    SUMMARY.predicted,
    ["predicted", ...names.map((name) => figure(name, { title: name }))],
    cells.map((row, given) => [
      classMark(scene, given),
      ...row.map((points, predicted) =>
        figure(cell(context, points, given, predicted, row)),
      ),
    ]),
  );
}

function cell(
  { scene, store }: Context,
  points: readonly number[],
  given: number,
  predicted: number,
  row: readonly (readonly number[])[],
): HTMLElement | string {
  if (points.length === 0) {
    return "·";
  }
  const all = row.reduce((sum, part) => sum + part.length, 0);
  const chosen = Uint32Array.from(points);
  const [own, other] = [given, predicted].map((index) =>
    inWords(classTitle(scene, index)),
  );
  const words = SUMMARY.predictedCell(points.length, own, other, points.length / all);
  return button(count(points.length), () => toggleSelection(store, chosen), {
    key: `confusion:${given}:${predicted}`,
    class: given === predicted ? "ls-cell" : "ls-cell ls-cell-wrong",
    "aria-label": words,
    "aria-pressed": String(isSelection(store.state, chosen)),
    title: words,
  });
}
