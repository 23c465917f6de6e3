/** A grid of many rows and columns, which draws only the visible cells. */

import type { Column } from "../files/csv";
import { NAMES, TABLE } from "../messages";
import { once } from "../scene/scene";
import { button, html } from "../ui/elements";

const ROW = 26;
const COLUMN = 92;
const FIRST = 120;
/** Cells drawn beyond the visible area, so that scrolling shows no gap. */
const SPARE = 4;
/** Maximum height of an element in browsers; longer tables scroll in larger steps. */
const TALLEST = 8_000_000;
/** Size before the page has a layout. */
const USUAL = { width: 480, height: 400 };

/** Actions of the user on rows and on column heads. */
interface Actions {
  open(point: number): void;
  choose(point: number): void;
  hover(point: number | null): void;
  sort(column: number): void;
}

interface Rows {
  /** Points in the order in which they are shown. */
  readonly points: Uint32Array;
  /** 1 for each selected point. */
  readonly chosen: Uint32Array;
  readonly sorting: Sorting | null;
}

export class RowGrid {
  readonly el: HTMLElement;
  readonly #columns: readonly Column[];
  readonly #actions: Actions;
  readonly #head = html("div.ls-grid-row.ls-grid-head", { role: "row" });
  readonly #room = html("div.ls-grid-room", { role: "presentation" });
  readonly #window = html("div.ls-grid-window", { role: "rowgroup" });
  #rows: Rows = { points: new Uint32Array(), chosen: new Uint32Array(), sorting: null };
  /** The row with the keyboard focus. */
  #at = 0;
  #drawing = 0;

  constructor(label: string, columns: readonly Column[], actions: Actions) {
    this.#columns = columns;
    this.#actions = actions;
    const width = `${FIRST + (columns.length - 1) * COLUMN}px`;
    this.#head.style.width = width;
    this.#room.style.width = width;
    this.#room.append(this.#window);
    this.el = html(
      "div.ls-grid-table",
      {
        role: "grid",
        tabindex: 0,
        "aria-label": label,
        "aria-colcount": columns.length,
        "aria-description": TABLE.keys,
        onscroll: () => this.#drawSoon(),
        onkeydown: (event) => this.#onKey(event as KeyboardEvent),
        onclick: (event) => this.#onClick(event as MouseEvent),
        onpointerover: (event) => actions.hover(pointOf(event)),
        onpointerleave: () => actions.hover(null),
      },
      this.#head,
      this.#room,
    );
  }

  /** Show rows; if the rows change, scroll to the first row. */
  show(rows: Rows): void {
    if (rows.points !== this.#rows.points) {
      this.#at = 0;
      this.el.scrollTop = 0;
    }
    this.#rows = rows;
    this.#room.style.height = `${Math.min(this.#length(), TALLEST)}px`;
    this.el.setAttribute("aria-rowcount", String(rows.points.length + 1));
    this.draw();
  }

  /** Draw the visible cells. */
  draw(): void {
    const { points } = this.#rows;
    const { width, height } = this.#size();
    const top = this.#top();
    const first = Math.max(Math.floor(top / ROW) - SPARE, 0);
    const last = Math.min(Math.ceil((top + height) / ROW) + SPARE, points.length);
    const across = Math.max(Math.floor(this.el.scrollLeft / COLUMN) - 1, 0);
    const from = Math.min(1 + across, this.#columns.length);
    const to = Math.min(from + Math.ceil(width / COLUMN) + 2, this.#columns.length);
    const drawn: HTMLElement[] = [];
    for (let row = first; row < last; row++) {
      drawn.push(this.#row(row, from, to));
    }
    const shift = this.el.scrollTop - top + first * ROW;
    this.#window.style.transform = `translateY(${shift}px)`;
    this.#window.replaceChildren(...drawn);
    this.#drawHead(from, to);
    const isDrawn = this.#at >= first && this.#at < last;
    const id = isDrawn ? drawn[this.#at - first].id : "";
    this.el.setAttribute("aria-activedescendant", id);
  }

  destroy(): void {
    cancelAnimationFrame(this.#drawing);
  }

  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.draw());
  }

  #size() {
    const { clientWidth: width, clientHeight: height } = this.el;
    return { width: width || USUAL.width, height: (height || USUAL.height) - ROW };
  }

  /** Total height of all rows. */
  #length(): number {
    return ROW * this.#rows.points.length;
  }

  /** Scroll position in the full height of all rows. */
  #top(): number {
    const { height } = this.#size();
    const [all, room] = [this.#length(), Math.min(this.#length(), TALLEST)];
    const most = Math.max(room - height, 1);
    return all > room ? (this.el.scrollTop * (all - height)) / most : this.el.scrollTop;
  }

  #row(row: number, from: number, to: number): HTMLElement {
    const point = this.#rows.points[row];
    const cell = (column: number) => this.#cell(column, point);
    return html(
      "div",
      {
        class: row === this.#at ? "ls-grid-row ls-grid-at" : "ls-grid-row",
        role: "row",
        id: `${gridId(this.el)}-${row}`,
        "aria-rowindex": row + 2,
        "aria-selected": String(this.#rows.chosen[point] === 1),
        "data-point": point,
      },
      cell(0),
      gap(from),
      ...range(from, to).map(cell),
    );
  }

  #cell(index: number, point: number): HTMLElement {
    const column = this.#columns[index];
    const words = column.words(point);
    return html(
      "span",
      {
        class: column.numeric ? "ls-grid-cell ls-number" : "ls-grid-cell",
        role: "gridcell",
        "aria-colindex": index + 1,
        title: column.title(point) || null,
        dir: column.numeric ? null : "auto",
      },
      index === 0 && words === "" ? NAMES.row(point) : words,
    );
  }

  #drawHead(from: number, to: number): void {
    const focused = this.#head.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-key")
      : null;
    const heads = [0, ...range(from, to)].map((column) => this.#headOf(column));
    this.#head.replaceChildren(heads[0], gap(from), ...heads.slice(1));
    if (focused) {
      const same = `[data-key="${CSS.escape(focused)}"]`;
      this.#head.querySelector<HTMLElement>(same)?.focus({ preventScroll: true });
    }
  }

  #headOf(index: number): HTMLElement {
    const { name, numeric } = this.#columns[index];
    const { sorting } = this.#rows;
    const isSorted = sorting?.column === index;
    const sign = isSorted ? (sorting.down ? " ↓" : " ↑") : "";
    return html(
      "span",
      {
        class: numeric ? "ls-grid-cell ls-number" : "ls-grid-cell",
        role: "columnheader",
        "aria-colindex": index + 1,
        "aria-sort": isSorted ? (sorting.down ? "descending" : "ascending") : "none",
      },
      button(
        [html("span", { dir: "auto" }, name), sign],
        () => this.#actions.sort(index),
        {
          class: "ls-grid-sort",
          key: `sort:${index}`,
          "data-column": name,
          title: TABLE.sort(name),
        },
      ),
    );
  }

  #onClick(event: MouseEvent): void {
    const point = pointOf(event);
    if (point === null) {
      return;
    }
    this.#at = this.#rows.points.indexOf(point);
    if (event.ctrlKey || event.metaKey) {
      this.#actions.choose(point);
    } else {
      this.#actions.open(point);
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.el) {
      return;
    }
    const { points } = this.#rows;
    const page = Math.max(Math.floor(this.#size().height / ROW) - 1, 1);
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -points.length,
      End: points.length,
    }[event.key];
    if (step !== undefined && points.length > 0) {
      event.preventDefault();
      this.#go(Math.min(Math.max(this.#at + step, 0), points.length - 1));
    } else if (event.key === "Enter" && this.#at < points.length) {
      this.#actions.open(points[this.#at]);
    } else if (event.key === " " && this.#at < points.length) {
      event.preventDefault();
      this.#actions.choose(points[this.#at]);
    }
  }

  /** Move to a row, and scroll it into view. */
  #go(row: number): void {
    this.#at = row;
    const { height } = this.#size();
    const top = this.#top();
    const wanted = Math.min(Math.max(top, (row + 1) * ROW - height), row * ROW);
    if (wanted !== top) {
      const all = this.#length();
      const room = Math.min(all, TALLEST);
      const scale = all > room ? (room - height) / (all - height) : 1;
      this.el.scrollTop = wanted * scale;
    }
    this.#actions.hover(this.#rows.points[row]);
    this.draw();
  }
}

/** The point of the row in which an event occurred. */
function pointOf({ target }: Event): number | null {
  const row = (target as Element | null)?.closest("[data-point]");
  return row ? Number(row.getAttribute("data-point")) : null;
}

/** The empty space of columns that are not drawn. */
function gap(from: number): HTMLElement {
  const style = `flex: none; width: ${(from - 1) * COLUMN}px`;
  return html("span", { style, role: "presentation" });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from, 0) }, (_, k) => from + k);
}

let nGrids = 0;

/** A unique id for the rows of a grid. */
const gridId = once((_: HTMLElement) => `ls-grid-${++nGrids}`);

// Points sorted by their values.

/** The sorting of rows: the column, and whether large values come first. */
export interface Sorting {
  readonly column: number;
  readonly down: boolean;
}

/** All points in ascending order; points without a value come last. */
export interface Order {
  readonly points: Uint32Array;
  /** The number of points with a value. */
  readonly known: number;
}

/** Sort n points by numbers, or by words without regard to case; ties keep their order. */
export function orderBy(n: number, keyOf: Column["key"]): Order {
  const keys = Array.from({ length: n }, (_, i) => {
    const key = keyOf(i);
    return typeof key === "string" ? key.trim().toLowerCase() : key;
  });
  const present: number[] = [];
  const missing: number[] = [];
  keys.forEach((one, i) => {
    (one === "" || Number.isNaN(one) ? missing : present).push(i);
  });
  const points = new Uint32Array(n);
  points.set(sorted(present, keys));
  points.set(missing, present.length);
  return { points, known: present.length };
}

/** The points in descending order; points without a value remain last. */
export function reversed({ points, known }: Order): Uint32Array {
  const down = points.slice();
  down.subarray(0, known).reverse();
  return down;
}

/** The marked points, in their order. */
export function marked(points: Uint32Array, marks: Uint32Array): Uint32Array {
  return points.filter((point) => marks[point] === 1);
}

function sorted(present: readonly number[], keys: readonly (number | string)[]) {
  const numbers = Float64Array.from(present, (i) => Number(keys[i]));
  const isNumeric = numbers.every((value) => !Number.isNaN(value));
  const at = Uint32Array.from(present.keys());
  const words = present.map((i) => keys[i]);
  at.sort(
    isNumeric
      ? (a, b) => numbers[a] - numbers[b] || a - b
      : (a, b) => (words[a] < words[b] ? -1 : words[a] > words[b] ? 1 : a - b),
  );
  return at.map((k) => present[k]);
}
