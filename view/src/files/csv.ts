/** Tables as comma-separated values (RFC 4180). */

import { number } from "../format";
import { asCategories, categoryOf, type Field, fieldsOf } from "../scene/fields";
import { className, classOf, classOrder } from "../scene/names";
import type { Feature, Scene } from "../scene/scene";
import { isImputed, shownValue } from "../scene/values";

const END = "\r\n";
const LINES_PER_PART = 10_000;
/** The first character of a formula. Text such as -1 is a number and not a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The selected points as CSV, in parts, because a million lines are too long for a string. */
export function selectionCsv(scene: Scene, selection: ArrayLike<number>): string[] {
  const columns = pointColumns(scene);
  const parts = [csvLine(columns.map(({ name }) => plain(name)))];
  let lines: string[] = [];
  for (let k = 0; k < selection.length; k++) {
    const i = selection[k];
    lines.push(
      csvLine(columns.map(({ numeric, text }) => (numeric ? text(i) : plain(text(i))))),
    );
    if (lines.length === LINES_PER_PART || k === selection.length - 1) {
      parts.push(lines.join(""));
      lines = [];
    }
  }
  return parts;
}

/** A column of the table of points. */
export interface Column {
  readonly name: string;
  readonly numeric: boolean;
  /** The value in a CSV file. */
  text(point: number): string;
  /** The value for users. */
  words(point: number): string;
  /** The tooltip. */
  title(point: number): string;
  /** The sort key; NaN or "" if the value is missing. */
  key(point: number): number | string;
}

/** The data of each point, as columns. */
export function pointColumns(scene: Scene): Column[] {
  const ids = texts("id", (i) => scene.ids?.at(i) ?? String(i));
  const columns = [scene.ids ? ids : { ...ids, key: (i: number) => i }];
  const codes = [
    ["class", scene.labels],
    ["prediction", scene.predictions],
  ] as const;
  const ranks = new Map(classOrder(scene).map((index, rank) => [index, rank]));
  for (const [name, given] of codes) {
    if (given !== null) {
      const words = texts(name, (i) => className(scene, given, i) ?? "");
      columns.push({
        ...words,
        key: (i) => ranks.get(classOf(given, i)) ?? Number.NaN,
      });
    }
  }
  const { certainty, held_out } = scene;
  if (certainty !== null) {
    columns.push(numbers("certainty", certainty.data));
  }
  if (held_out !== null) {
    columns.push(numbers("held_out", held_out.data));
  }
  return [...columns, ...fieldsOf(scene).map(fieldColumn)];
}

/** One line with a line break. Ambiguous fields are quoted. */
export function csvLine(fields: readonly string[]): string {
  return fields.map(quoted).join(",") + END;
}

/** The shortest decimal number that gives the same float32; empty if missing. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) {
    return "";
  }
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === Math.fround(value)) {
      return String(rounded);
    }
  }
  return String(Number(value.toPrecision(9)));
}

function texts(name: string, text: (point: number) => string): Column {
  return { name, numeric: false, text, words: text, title: text, key: text };
}

function numbers(name: string, values: Float32Array | Uint8Array): Column {
  const text = (i: number) => shortest(values[i]);
  return {
    name,
    numeric: true,
    text,
    title: text,
    key: (i) => values[i],
    words: (i) => (Number.isNaN(values[i]) ? "" : number(values[i])),
  };
}

function fieldColumn({ name, column, numbers: values }: Field): Column {
  const categories = asCategories(column);
  return categories !== null
    ? {
        ...texts(name, (i) => categories.words[categoryOf(categories, i)] ?? ""),
        key: (i) => {
          const index = categoryOf(categories, i);
          return index < 0 ? Number.NaN : index;
        },
      }
    : values
      ? featureColumn(values)
      : texts(name, (i) => column?.texts?.at(i) ?? "");
}

function featureColumn(feature: Feature): Column {
  const { name, values, kind } = feature;
  const plain = numbers(name, values);
  const words = (i: number) => plain.words(i) && shownValue(feature, i).words;
  // Other programs also read dates as words, and truth values as 0 and 1.
  const plainly = kind === "date" ? words : plain.text;
  const text = (i: number) => (isImputed(feature, i) ? "" : plainly(i));
  const title = (i: number) => shownValue(feature, i).title ?? text(i);
  const key = (i: number) => (isImputed(feature, i) ? Number.NaN : values[i]);
  return { ...plain, text, words, title, key };
}

/** Mark text that a spreadsheet would evaluate as a formula with a leading quote. */
export function plain(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoted(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
