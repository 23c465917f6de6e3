/** The chosen points: which classes, what sets them apart, their rows. */

import { stackedBar } from "../charts/bars";
import { paintIn } from "../color/looks";
import type { Context, Panel } from "../context";
import { pointColumns, selectionCsv } from "../save/csv";
import { copyText, download } from "../save/out";
import { count, counted, percent } from "../scene/format";
import { classTitle, objectId } from "../scene/names";
import { type Codes, noClass, type Tensor } from "../scene/scene";
import { choose } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { differenceSection } from "./differences";
import { classMark, note, section, show, showAll, TabPage, table } from "./parts";
import { relabelPart } from "./relabel";

const CLASSES_SHOWN = 12;
const ROWS_SHOWN = 200;
/** More bars for each feature than this are not compared by eye. */
const MOST_COMPARED = 8;

export class SelectionPanel implements Panel {
  readonly #context: Context;
  readonly #page: TabPage;
  /** Points of each class; counted when first needed. */
  #sizes: ReadonlyMap<number, number> | null = null;
  #copied = false;
  #allClasses = false;

  constructor(el: HTMLElement, context: Context) {
    this.#context = context;
    const { store } = context;
    store.watch(["selection"], () => {
      this.#copied = false;
    });
    this.#page = new TabPage(
      el,
      store,
      ["selection", "decisions"],
      ({ selection }, width) => this.#draw(selection, width),
    );
  }

  destroy(): void {
    this.#page.destroy();
  }

  #draw(selection: Uint32Array, width: number): Child[] {
    const { scene } = this.#context;
    const title = html(
      "h2",
      { "aria-live": "polite" },
      `${count(selection.length)} of ${counted(scene.n_points, "point")} chosen`,
    );
    if (selection.length === 0) {
      return [
        title,
        note(
          "Draw around points with the lasso or the box, or search for them. " +
            "This page then shows which classes they have, what sets them " +
            "apart from the rest, and their rows.",
        ),
        html("div", { class: "ls-buttons" }, this.#invertButton("Choose all")),
      ];
    }
    return [
      title,
      this.#buttons(selection),
      relabelPart(this.#context, selection),
      this.#classMix(selection, width),
      differenceSection(scene, selection),
      this.#rows(selection),
    ];
  }

  #buttons(selection: Uint32Array): HTMLElement {
    const { scene, store } = this.#context;
    const copy = async () => {
      await copyText(selectionCsv(scene, selection).join(""));
      this.#copied = true;
      this.#page.again();
    };
    const save = () => {
      const rows = new Blob(selectionCsv(scene, selection), { type: "text/csv" });
      download(rows, "selection.csv");
    };
    const clear = () => choose(store, new Uint32Array());
    return html(
      "div",
      { class: "ls-buttons" },
      button(this.#copied ? "Copied" : "Copy CSV", copy, { key: "copy" }),
      button("Save CSV", save, { key: "save" }),
      this.#invertButton("Invert"),
      this.#compareButton(selection),
      button("Clear", clear, { key: "clear" }),
    );
  }

  /** For a few: their features side by side, in place of what was compared before. */
  #compareButton(selection: Uint32Array): HTMLElement | null {
    const { scene, store } = this.#context;
    const isFew = selection.length > 1 && selection.length <= MOST_COMPARED;
    const compare = () => store.set({ compared: [...selection], tab: "prototypes" });
    return isFew && scene.features.length > 0
      ? button("Compare", compare, {
          key: "compare",
          title: "The features of these points side by side",
        })
      : null;
  }

  #invertButton(words: string): HTMLElement {
    const { scene, store } = this.#context;
    const invert = () => choose(store, inverted(store.state.selection, scene.n_points));
    return button(words, invert, { key: "invert" });
  }

  #classMix(selection: Uint32Array, width: number): HTMLElement | null {
    const { scene } = this.#context;
    const codes = scene.labels ?? scene.predictions;
    if (codes === null) {
      return null;
    }
    const mix = classCounts(codes, selection, scene.classes.length);
    const shown = this.#allClasses ? mix : mix.slice(0, CLASSES_SHOWN);
    const label = scene.labels === null ? "Predicted classes" : "Classes";
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
        ["Class", "chosen", "of the class"],
        shown.map(({ index, size }) => [
          classMark(scene, index),
          figure(count(size), { attributes: { "data-value": size } }),
          figure(percent(size / (sizes.get(index) ?? size))),
        ]),
      ),
      showAll("classes", `${mix.length} classes`, shown.length < mix.length, () => {
        this.#allClasses = true;
        this.#page.again();
      }),
    );
  }

  #rows(selection: Uint32Array): HTMLElement {
    const { scene, store } = this.#context;
    const [, ...columns] = pointColumns(scene);
    const shown = Array.from(selection.subarray(0, ROWS_SHOWN));
    const rows = shown.map((i) => [
      this.#link(i),
      ...columns.map((column) => ({
        words: column.words(i),
        title: column.title(i),
        numeric: column.numeric,
      })),
    ]);
    const heads = columns.map(({ name }) => name);
    const element = table("Chosen points", ["id", ...heads], rows);
    element.classList.add("ls-rows");
    element.addEventListener("pointerleave", () => store.set({ hover: null }));
    return section(
      "Rows",
      element,
      shown.length < selection.length
        ? note(
            `The first ${ROWS_SHOWN} of ${count(selection.length)} rows. ` +
              "The CSV has all of them.",
          )
        : null,
    );
  }

  #link(point: number): HTMLElement {
    const { scene, store } = this.#context;
    const hover = () => store.set({ hover: point });
    return button(objectId(scene, point), () => show(this.#context, point), {
      key: `row:${point}`,
      class: "ls-link",
      "data-object": point,
      onpointerenter: hover,
      onfocus: hover,
      onblur: () => store.set({ hover: null }),
    });
  }
}

/** All points that are not chosen. */
export function inverted(selection: Uint32Array, n: number): Uint32Array {
  const isChosen = new Uint8Array(n);
  for (const point of selection) {
    isChosen[point] = 1;
  }
  const others = new Uint32Array(n - selection.length);
  let at = 0;
  for (let i = 0; i < n; i++) {
    if (isChosen[i] === 0) {
      others[at++] = i;
    }
  }
  return others;
}

/** How many points each class has, the most frequent first. -1 is no class. */
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
