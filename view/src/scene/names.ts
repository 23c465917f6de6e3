/** Names of classes, points, prototypes and units. */

import { visibleText } from "../format";
import { NAMES } from "../messages";
import { type Codes, noClass, type Scene, type SceneModel, type Tensor } from "./scene";

/** The class of a point; null if it has none. */
export function className(
  scene: Scene,
  codes: Tensor<Codes> | null,
  point: number,
): string | null {
  const code = codes === null ? -1 : classOf(codes, point);
  return code < 0 ? null : (scene.classes[code] ?? null);
}

/** Index of the class of a point; -1 if it has none. */
export function classOf(codes: Tensor<Codes>, point: number): number {
  const code = codes.data[point];
  return code === noClass(codes) ? -1 : code;
}

/** The id of a point: from the data, or its row number. */
export function objectId(scene: Scene, point: number): string {
  return scene.ids?.at(point) || NAMES.row(point);
}

/** The displayed name of a class, which may be empty in the data; -1 means no class. */
export function classTitle({ classes }: Scene, index: number): string {
  const name = classes[index];
  return name === undefined ? NAMES.noClass : name.trim() === "" ? NAMES.empty : name;
}

/**
 * The classes in natural order: "kind 2" before "kind 10". An order that the user chose is not
 * changed; the alphabetical order of programs is replaced.
 */
export function classOrder({ classes }: Pick<Scene, "classes">): number[] {
  const isSorted = classes.every((name, k) => k === 0 || classes[k - 1] < name);
  const { compare } = new Intl.Collator("en", { numeric: true });
  const order = [...classes.keys()];
  return isSorted ? order.sort((a, b) => compare(classes[a], classes[b])) : order;
}

/** Number of a prototype within its class, from 1; null if it is the only prototype. */
export function prototypeNumber(
  { prototypes: { labels } }: SceneModel,
  prototype: number,
): number | null {
  const own = classOf(labels, prototype);
  let [number, siblings] = [0, 0];
  for (let p = 0; p < labels.data.length; p++) {
    const isOwn = classOf(labels, p) === own ? 1 : 0;
    siblings += isOwn;
    number += p <= prototype ? isOwn : 0;
  }
  return siblings > 1 ? number : null;
}

/** The name of a prototype: "Barolo", or "Barolo, no. 2" if its class has several. */
export function prototypeName(
  scene: Scene,
  model: SceneModel,
  prototype: number,
): string {
  const own = classOf(model.prototypes.labels, prototype);
  const name = own < 0 ? NAMES.prototype : inWords(classTitle(scene, own));
  const number = prototypeNumber(model, prototype);
  return number === null ? name : NAMES.numbered(name, number);
}

/** A name in a sentence; right-to-left text is isolated. */
export function inWords(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(name)
    ? `\u2068${name}\u2069`
    : name;
}

/** A name on one line, without line breaks. */
export function oneLine(name: string): string {
  return visibleText(name).replace(/\s+/g, " ").trim();
}

/** A short form of a name: its middle is cut, because names often differ at their ends. */
export function shortened(name: string, length: number): string {
  const line = oneLine(name);
  const characters = Array.from(line);
  if (characters.length <= length) {
    return line;
  }
  const tail = Math.floor((length - 1) / 2);
  const head = length - 1 - tail;
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - tail).join("")}`;
}

/**
 * Short and distinct names: if the ends of names are equal, a short name has the beginning and
 * the part from which the names differ.
 */
export function distinctNames(
  named: readonly (string | { readonly name: string })[],
  length: number,
): string[] {
  const names = named.map((one) => (typeof one === "string" ? one : one.name));
  const short = names.map((name) => shortened(name, length));
  const groups = new Map<string, number[]>();
  short.forEach((text, k) => {
    groups.set(text, [...(groups.get(text) ?? []), k]);
  });
  for (const alike of groups.values()) {
    const lines = alike.map((k) => Array.from(oneLine(names[k])));
    const differ = lines[0].findIndex((c, i) => lines.some((line) => line[i] !== c));
    if (differ >= 0) {
      alike.forEach((k, i) => {
        short[k] = around(lines[i], differ, length);
      });
    }
  }
  return short;
}

/** The beginning of a name, and the text around one of its characters. */
function around(line: readonly string[], at: number, length: number): string {
  const head = Math.floor(length / 3);
  const room = length - head - 2;
  const end = Math.min(line.length, at + Math.ceil(room / 2));
  const start = Math.max(head, end - room);
  const rest = line.length > end ? "…" : "";
  return `${line.slice(0, head).join("")}…${line.slice(start, end).join("")}${rest}`;
}

/** The quantity that the model compares: a distance, or its square. */
export function distanceName({ squared }: SceneModel): string {
  return squared ? NAMES.squared : NAMES.distance;
}
