/** The selected points: classes, distinguishing features, and rows. */

import { stackedBar } from "../charts/bars";
import { paintIn } from "../color/looks";
import type { Context } from "../context";
import { pointColumns, selectionCsv } from "../files/csv";
import { copyText, download } from "../files/out";
import { count, percent } from "../format";
import { SELECTION } from "../messages";
import { canPlace, MOST_CHOSEN } from "../scene/class_points";
import { classTitle } from "../scene/names";
import { type Codes, maskOf, noClass, type Tensor } from "../scene/scene";
import { choose, type State, show } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { differenceSection } from "./differences";
import { classMark, note, objectLink, section, TabPage, table } from "./parts";
import { relabelPart } from "./relabel";

const CLASSES_SHOWN = 12;
const ROWS_SHOWN = 200;
/** More bars for each feature cannot be compared visually. */
const MOST_COMPARED = 8;

export class SelectionPanel extends TabPage {
  /** The number of points of each class, counted when first needed. */
  #sizes: ReadonlyMap<number, number> | null = null;
  #copied = false;

  constructor(el: HTMLElement, context: Context) {
    super(el, context, ["selection", "decisions"]);
    context.store.watch(["selection"], () => {
      this.#copied = false;
    });
    this.again();
  }

  protected draw({ selection }: State, width: number): Child[] {
    const { scene } = this.context;
    const title = html(
      "h2",
      { "aria-live": "polite" },
      SELECTION.title(selection.length, scene.n_points),
    );
    if (selection.length === 0) {
      return [
        title,
        note(SELECTION.empty),
        html("div.ls-buttons", this.#invertButton(SELECTION.all)),
      ];
    }
    return [
      title,
      this.#buttons(selection),
      relabelPart(this.context, selection),
      this.#classMix(selection, width),
      differenceSection(scene, selection),
      this.#rows(selection),
    ];
  }

  #buttons(selection: Uint32Array): HTMLElement {
    const { scene, store } = this.context;
    const copy = async () => {
      await copyText(selectionCsv(scene, selection).join(""));
      this.#copied = true;
      this.again();
    };
    const save = () => {
      const rows = new Blob(selectionCsv(scene, selection), { type: "text/csv" });
      download(rows, "selection.csv");
    };
    const clear = () => choose(store, new Uint32Array());
    return html(
      "div.ls-buttons",
      button(this.#copied ? "Copied" : SELECTION.copy, copy, { key: "copy" }),
      button(SELECTION.save, save, { key: "save" }),
      this.#invertButton("Invert"),
      this.#compareButton(selection),
      this.#classesButton(selection),
      button("Clear", clear, { key: "clear" }),
    );
  }

  /** A button for a few points that compares their features, instead of earlier ones. */
  #compareButton(selection: Uint32Array): HTMLElement | null {
    const { scene, store } = this.context;
    const isFew = selection.length > 1 && selection.length <= MOST_COMPARED;
    const compare = () => store.set({ compared: [...selection], tab: "prototypes" });
    return isFew && scene.features.length > 0
      ? button("Compare", compare, { key: "compare", title: SELECTION.compare })
      : null;
  }

  /** A button that shows the points among the prototypes, if the page has the model's metric. */
  #classesButton(selection: Uint32Array): HTMLElement | null {
    const { scene, store } = this.context;
    const open = () => store.set({ level: "classes", classPoints: selection });
    return canPlace(scene) && selection.length <= MOST_CHOSEN
      ? button(SELECTION.amongPrototypes, open, {
          key: "among",
          title: SELECTION.amongTitle,
        })
      : null;
  }

  #invertButton(words: string): HTMLElement {
    const { scene, store } = this.context;
    const invert = () => choose(store, inverted(store.state.selection, scene.n_points));
    return button(words, invert, { key: "invert" });
  }

  #classMix(selection: Uint32Array, width: number): HTMLElement | null {
    const { scene } = this.context;
    const codes = scene.labels ?? scene.predictions;
    if (codes === null) {
      return null;
    }
    const mix = classCounts(codes, selection, scene.classes.length);
    const [first, more] = this.firstOf("classes", mix, CLASSES_SHOWN);
    const label = scene.labels === null ? SELECTION.predicted : "Classes";
    this.#sizes ??= new Map(
      classCounts(codes, null, scene.classes.length).map(({ index, size }) => [
        index,
        size,
      ]),
    );
    const sizes = this.#sizes;
    return section(
      label,
      stackedBar(
        mix.map(({ index, size }) => ({
          name: classTitle(scene, index),
          count: size,
          color: paintIn(scene, index),
        })),
        width,
        label,
      ),
      table(
        label,
        SELECTION.columns,
        first.map(({ index, size }) => [
          classMark(scene, index),
          figure(count(size), { attributes: { "data-value": size } }),
          figure(percent(size / (sizes.get(index) ?? size))),
        ]),
      ),
      more,
    );
  }

  #rows(selection: Uint32Array): HTMLElement {
    const { scene, store } = this.context;
    const [, ...columns] = pointColumns(scene);
    const rows = Array.from(selection.subarray(0, ROWS_SHOWN), (i) => [
      objectLink(this, i, `row:${i}`, () => show(this.context, i)),
      ...columns.map((column) => ({
        words: column.words(i),
        title: column.title(i),
        numeric: column.numeric,
      })),
    ]);
    const heads = columns.map(({ name }) => name);
    const element = table(SELECTION.rows, ["id", ...heads], rows);
    element.classList.add("ls-rows");
    element.addEventListener("pointerleave", () => store.set({ hover: null }));
    return section(
      "Rows",
      element,
      rows.length < selection.length
        ? note(SELECTION.first(ROWS_SHOWN, selection.length))
        : null,
    );
  }
}

/** All points that are not selected. */
export function inverted(selection: Uint32Array, n: number): Uint32Array {
  const mask = maskOf(selection, n);
  return mask.map((_, i) => i).filter((i) => mask[i] === 0);
}

/** The number of points of each class, the most frequent class first. -1 means no class. */
export function classCounts(
  codes: Tensor<Codes>,
  selection: Uint32Array | null,
  nClasses: number,
): { index: number; size: number }[] {
  const sizes = new Uint32Array(nClasses + 1);
  const { data } = codes;
  const none = noClass(codes);
  const n = selection?.length ?? data.length;
  for (let k = 0; k < n; k++) {
    const code = data[selection === null ? k : selection[k]];
    sizes[code === none ? 0 : code + 1] += 1;
  }
  return Array.from(sizes, (size, i) => ({ index: i - 1, size }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
}
