/** Finds points by id, by text, or by what is known of them: `alcohol > 13`. */

import { classOf, objectId } from "./names";
import type { Codes, Scene, Tensor } from "./scene";

/** Points found, or words that say why the question was not understood. */
export type Found = { points: Uint32Array } | { words: string };

type Test = (point: number) => boolean;

const COMPARISON = /^(.+?)\s*(<=|>=|!=|=|<|>)\s*(.+)$/;

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** Search a scene. Several comparisons are joined by `and`. */
export function search(scene: Scene, question: string): Found {
  const text = question.trim();
  if (text === "") {
    return { points: new Uint32Array() };
  }
  const tests = text.split(/\s+and\s+/i).map((part) => comparison(scene, part));
  if (tests.every((test) => typeof test === "function")) {
    return { points: where(scene, (point) => tests.every((test) => test(point))) };
  }
  // An id may hold signs of comparison too.
  const points = where(scene, containing(scene, text));
  const words = tests.find((test) => typeof test === "string");
  return points.length === 0 && words !== undefined ? { words } : { points };
}

/** A test for one comparison; null for plain text, words where it makes no sense. */
function comparison(scene: Scene, part: string): Test | string | null {
  const match = COMPARISON.exec(part);
  if (!match) {
    return null;
  }
  const [, name, operator, value] = match;
  const key = name.trim().toLowerCase();
  if (key === "class" || key === "prediction") {
    const classes = key === "class" ? scene.labels : scene.predictions;
    return classes
      ? ofClass(scene, classes, operator, value)
      : `This scene holds no ${key}.`;
  }
  const values =
    key === "certainty" && scene.certainty
      ? scene.certainty.data
      : scene.features.find((feature) => feature.name.toLowerCase() === key)?.values;
  if (!values) {
    return `No feature is called “${name.trim()}”.`;
  }
  const wanted = Number(value);
  if (Number.isNaN(wanted)) {
    return `“${value}” is no number to compare with.`;
  }
  // Values are kept in single precision: compare as they are kept.
  const kept = Math.fround(wanted);
  return (point) => COMPARE[operator](values[point], kept);
}

function ofClass(
  scene: Scene,
  classes: Tensor<Codes>,
  operator: string,
  value: string,
): Test | string {
  const wanted = scene.classes.findIndex(
    (name) => name.toLowerCase() === value.trim().toLowerCase(),
  );
  if (wanted < 0) {
    return `No class is called “${value.trim()}”.`;
  }
  if (operator !== "=" && operator !== "!=") {
    return "Classes can be compared by = and != only.";
  }
  return (point) => (classOf(classes, point) === wanted) === (operator === "=");
}

function containing(scene: Scene, text: string): Test {
  const wanted = text.toLowerCase();
  return (point) =>
    objectId(scene, point).toLowerCase().includes(wanted) ||
    (scene.texts?.at(point).toLowerCase().includes(wanted) ?? false);
}

function where(scene: Scene, test: Test): Uint32Array {
  const points: number[] = [];
  for (let point = 0; point < scene.n_points; point++) {
    if (test(point)) {
      points.push(point);
    }
  }
  return Uint32Array.from(points);
}
