/** Tables as comma-separated values (RFC 4180). */

import { className } from "./names";
import type { Scene } from "./scene";

const END = "\r\n";
const LINES_PER_PART = 10_000;

/** The chosen points as CSV, in parts: a million lines are never one string. */
export function selectionCsv(scene: Scene, selection: ArrayLike<number>): string[] {
  const columns = pointColumns(scene);
  const parts = [csvLine(columns.map((column) => column.name))];
  let lines: string[] = [];
  for (let k = 0; k < selection.length; k++) {
    const i = selection[k];
    lines.push(csvLine(columns.map((column) => column.text(i))));
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
  text(point: number): string;
}

/** What the scene says of each point, as columns. */
export function pointColumns(scene: Scene): Column[] {
  const columns: Column[] = [
    { name: "id", numeric: false, text: (i) => scene.ids?.at(i) ?? String(i) },
  ];
  const codes = [
    ["class", scene.labels],
    ["prediction", scene.predictions],
  ] as const;
  for (const [name, given] of codes) {
    if (given !== null) {
      const text = (i: number) => className(scene, given, i) ?? "";
      columns.push({ name, numeric: false, text });
    }
  }
  const { certainty, held_out } = scene;
  if (certainty !== null) {
    columns.push(numbers("certainty", certainty.data));
  }
  if (held_out !== null) {
    columns.push(numbers("held_out", held_out.data));
  }
  return [
    ...columns,
    ...scene.features.map(({ name, values }) => numbers(name, values)),
  ];
}

/** One line, with its end. Fields that could be misread stand in quotation marks. */
export function csvLine(fields: readonly string[]): string {
  return fields.map(quoted).join(",") + END;
}

/** The shortest decimal that gives back the same float32; empty where it is missing. */
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

function numbers(name: string, values: Float32Array | Uint8Array): Column {
  return { name, numeric: true, text: (i) => shortest(values[i]) };
}

function quoted(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
