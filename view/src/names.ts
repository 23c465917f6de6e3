/** What classes, objects and prototypes are called on the page. */

import { type Codes, noClass, type Scene, type SceneModel, type Tensor } from "./scene";

/** The class of a point; null where it has none. */
export function className(
  scene: Scene,
  codes: Tensor<Codes> | null,
  point: number,
): string | null {
  const code = codes === null ? -1 : classOf(codes, point);
  return code < 0 ? null : (scene.classes[code] ?? null);
}

/** Index of the class of a point; -1 where it has none. */
export function classOf(codes: Tensor<Codes>, point: number): number {
  const code = codes.data[point];
  return code === noClass(codes) ? -1 : code;
}

/** The id of an object: what the data say, or its row number. */
export function objectId(scene: Scene, point: number): string {
  return scene.ids?.at(point) || `row ${point}`;
}

/** Class and number within the class, from 1: "Barolo 2". */
export function prototypeName(
  scene: Scene,
  model: SceneModel,
  prototype: number,
): string {
  const labels = model.prototypes.labels;
  const own = classOf(labels, prototype);
  let number = 0;
  for (let p = 0; p <= prototype; p++) {
    number += classOf(labels, p) === own ? 1 : 0;
  }
  return `${scene.classes[own] ?? "prototype"} ${number}`;
}

/** A name on little room: shortened in its middle, because ends tell names apart. */
export function shortened(name: string, length: number): string {
  const line = name.replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= length) {
    return line;
  }
  const tail = Math.floor((length - 1) / 2);
  const head = length - 1 - tail;
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - tail).join("")}`;
}
