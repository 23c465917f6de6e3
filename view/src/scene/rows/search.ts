/** Finds points by id, by text, or by what is known of them: `alcohol > 13`. */

import { comparison, nameAt, spelled, type Test } from "../comparison";
import type { Scene } from "../scene";
import { classOf, objectId, oneLine } from "../words/names";
import { type Question, readQuestion } from "./question";

/** Points found, or words that say why the question was not understood. */
type Found = { points: Uint32Array } | { words: string };

/** Search a scene: for plain text, or for what meets a question (question.ts). */
export function search(scene: Scene, question: string): Found {
  const text = question.trim();
  if (text === "") {
    return { points: new Uint32Array() };
  }
  const test = testOf(scene, oneLine(text));
  if (typeof test === "function") {
    const points = where(scene, test);
    return points.length > 0 ? { points } : { words: `No point has ${text}.` };
  }
  // An id may hold signs of comparison too.
  const points = called(scene, text);
  return points.length > 0 ? { points } : { words: test ?? "Nothing found." };
}

/** What a point must meet; null for plain text, words where a question can't be read. */
function testOf(scene: Scene, text: string): Test | string | null {
  const read = readQuestion(text, (rest) => nameAt(scene, rest));
  const test = "words" in read ? read.words : meaning(scene, read.question);
  const count = (sign: string) => text.split(sign).length;
  return typeof test === "string" && count(")") > count("(")
    ? "A bracket is closed that was not opened: write “(” where it begins, or take “)” away."
    : test;
}

function meaning(scene: Scene, asked: Question): Test | string | null {
  if (asked.kind === "comparison") {
    return comparison(scene, asked.text);
  }
  const parts = asked.kind === "not" ? [asked.part] : asked.parts;
  const tests: Test[] = [];
  for (const part of parts) {
    const test = meaning(scene, part) ?? isCalled(scene, part);
    if (typeof test !== "function") {
      return test;
    }
    tests.push(test);
  }
  return asked.kind === "not"
    ? (point) => !tests[0](point)
    : asked.kind === "and"
      ? (point) => tests.every((test) => test(point))
      : (point) => tests.some((test) => test(point));
}

/** Plain text as a part of a question. */
function isCalled(scene: Scene, asked: Question): Test | string {
  const text = asked.kind === "comparison" ? asked.text : "";
  const points = new Set(called(scene, text));
  return points.size > 0
    ? (point) => points.has(point)
    : `Nothing is called “${text}”. A comparison has a sign, as in class = … .`;
}

/** Points of this id; else of this class; else with this in their ids, texts, class. */
function called(scene: Scene, text: string): Uint32Array {
  const wanted = text.toLowerCase();
  const codes = scene.labels ?? scene.predictions;
  const inClasses = (fits: (name: string) => boolean) => {
    const fitting = scene.classes.map((name) => fits(spelled(name)));
    return (point: number) => codes !== null && fitting[classOf(codes, point)];
  };
  const notes = scene.columns?.map(({ texts }) => texts) ?? [];
  const all = [scene.texts, ...notes].filter((texts) => texts != null);
  const exact: number[] = [];
  const holding = where(scene, (point) => {
    const id = objectId(scene, point).toLowerCase();
    if (id === wanted || (!scene.ids && String(point) === wanted)) {
      exact.push(point);
    }
    return (
      id.includes(wanted) ||
      all.some((texts) => texts.at(point).toLowerCase().includes(wanted))
    );
  });
  if (exact.length > 0) {
    return Uint32Array.from(exact);
  }
  const ofClass = where(
    scene,
    inClasses((name) => name === spelled(text)),
  );
  return (
    [ofClass, holding].find((points) => points.length > 0) ??
    where(
      scene,
      inClasses((name) => name.includes(spelled(text))),
    )
  );
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
