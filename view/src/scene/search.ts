/** The search for points, by text or by comparisons. */

import { SEARCH } from "../messages";
import { asCategories, categoryOf, categoryTitle } from "./fields";
import { classOf, classTitle, objectId, oneLine } from "./names";
import { type Question, readQuestion } from "./question";
import type { Codes, Scene, SceneColumn, Tensor } from "./scene";
import { comparable, meant, written } from "./values";

/** The points, or a message that explains why the search was not understood. */
type Result = { points: Uint32Array } | { words: string };

/** Search a scene for plain text, or for points that fulfill comparisons (question.ts). */
export function search(scene: Scene, question: string): Result {
  const text = question.trim();
  if (text === "") {
    return { points: new Uint32Array() };
  }
  const test = testOf(scene, oneLine(text));
  if (typeof test === "function") {
    const points = where(scene, test);
    return points.length > 0 ? { points } : { words: SEARCH.noPoint(text) };
  }
  // An id may also contain signs of comparison.
  const points = called(scene, text);
  return points.length > 0 ? { points } : { words: test ?? SEARCH.nothing };
}

/** A test for points; null for plain text, or a message if the search is invalid. */
function testOf(scene: Scene, text: string): Test | string | null {
  const read = readQuestion(text, (rest) => nameAt(scene, rest));
  const test = "words" in read ? read.words : meaning(scene, read.question);
  const count = (sign: string) => text.split(sign).length;
  return typeof test === "string" && count(")") > count("(") ? SEARCH.notOpened : test;
}

function meaning(scene: Scene, question: Question): Test | string | null {
  if (question.kind === "comparison") {
    return comparison(scene, question.text);
  }
  const parts = question.kind === "not" ? [question.part] : question.parts;
  const tests: Test[] = [];
  for (const part of parts) {
    const test = meaning(scene, part) ?? isCalled(scene, part);
    if (typeof test !== "function") {
      return test;
    }
    tests.push(test);
  }
  return question.kind === "not"
    ? (point) => !tests[0](point)
    : question.kind === "and"
      ? (point) => tests.every((test) => test(point))
      : (point) => tests.some((test) => test(point));
}

/** Plain text as a part of a combined search. */
function isCalled(scene: Scene, question: Question): Test | string {
  const text = question.kind === "comparison" ? question.text : "";
  const points = new Set(called(scene, text));
  return points.size > 0 ? (point) => points.has(point) : SEARCH.noName(text);
}

/** Points with this id, or else of this class, or else with this text in id, texts or class. */
function called(scene: Scene, text: string): Uint32Array {
  const wanted = text.toLowerCase();
  const codes = scene.labels ?? scene.predictions;
  const inClasses = (fits: (name: string) => boolean) => {
    const fitting = scene.classes.map((name) => fits(spelled(name)));
    return where(scene, (point) => codes !== null && fitting[classOf(codes, point)]);
  };
  const notes = scene.columns.map(({ texts }) => texts);
  const all = [scene.texts, ...notes].filter((texts) => texts !== null);
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
  const ofClass = inClasses((name) => name === spelled(text));
  return (
    [ofClass, holding].find((points) => points.length > 0) ??
    inClasses((name) => name.includes(spelled(text)))
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

// One comparison of a search: a name, a sign, and a value.

type Test = (point: number) => boolean;

/** A comparison: name, sign and value. */
const COMPARISON = /^(.+?)\s*(<=|>=|!=|==?|<|>)\s*(.*)$/;
const REST = /^\s*(<=|>=|!=|==?|<|>)\s*(.*)$/;
/** Quotation marks around a value, which is then used without changes. */
const QUOTED = /^["“„]([^"“”„]*)["”“]$/;

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** Sign and value after the name; empty if no sign follows. */
function afterName(line: string, name: string): { operator?: string; value?: string } {
  const [, sign, value] = REST.exec(line.slice(name.length)) ?? [];
  return {
    operator: sign === "==" ? "=" : sign,
    value: value && (QUOTED.exec(value)?.[1] ?? value),
  };
}

/** A test for one comparison; null for plain text, or a message if it is invalid. */
function comparison(scene: Scene, part: string): Test | string | null {
  const line = oneLine(part);
  const ofColumn = columnTest(scene, line);
  if (ofColumn !== null) {
    return ofColumn;
  }
  const name = nameAt(scene, line);
  const match = name === null ? COMPARISON.exec(line) : null;
  if (match) {
    return SEARCH.noFeature(match[1]);
  }
  if (name === null) {
    return null;
  }
  const { operator, value } = afterName(line, name);
  const key = name.toLowerCase();
  const ofTwo = operator && value ? twoColumns(scene, key, operator, value) : null;
  if (ofTwo !== null) {
    return ofTwo;
  }
  if (key === "class" || key === "prediction") {
    const classes = key === "class" ? scene.labels : scene.predictions;
    return !classes
      ? SEARCH.noCodes(key)
      : operator && value
        ? ofClass(scene, classes, operator, value)
        : SEARCH.which(key, classTitle(scene, 0));
  }
  const numbers =
    key === "certainty" && scene.certainty
      ? { values: scene.certainty.data, low: 0, high: 1, kind: null }
      : numbersNamed(scene, key);
  if (!numbers) {
    const column = scene.columns.find((one) => spelled(one.name) === key);
    return column ? columnWords(column, operator, value) : SEARCH.noFeature(name);
  }
  if (!operator || !value) {
    const { kind, low, high } = numbers;
    const usual = kind === "truth" ? "yes" : written(numbers, (low + high) / 2);
    const sign = operator ?? (kind === "truth" ? "=" : ">");
    return SEARCH.value(name, sign, usual);
  }
  const wanted = meant(numbers, value);
  if (Number.isNaN(wanted)) {
    return SEARCH.wrongKind(value, numbers.kind ?? "number");
  }
  // Values are stored in single precision, so the limit is rounded in the same way.
  const limit = Math.fround(wanted);
  const shown = comparable(numbers);
  return (point) => COMPARE[operator](shown(numbers.values[point]), limit);
}

/** Compare two columns: numbers by value, and words by their text. */
function twoColumns(
  scene: Scene,
  name: string,
  operator: string,
  other: string,
): Test | string | null {
  const key = spelled(other);
  const isClass = name === "class" || name === "prediction";
  if (isClass && scene.classes.some((one) => spelled(one) === key)) {
    return null;
  }
  const [words, otherWords] = [wordsNamed(scene, name), wordsNamed(scene, key)];
  if (words && otherWords) {
    return operator === "=" || operator === "!="
      ? (point) => {
          const [a, b] = [words(point), otherWords(point)];
          return a !== undefined && b !== undefined && (a === b) === (operator === "=");
        }
      : SEARCH.equalOnly(`“${name}” and “${key}”`);
  }
  const [numbers, others] = [numbersNamed(scene, name), numbersNamed(scene, key)];
  return numbers && others && Number.isNaN(meant(numbers, other))
    ? (point) => COMPARE[operator](numbers.values[point], others.values[point])
    : null;
}

/** The words of each point in a column of classes or categories; null if missing. */
function wordsNamed(
  { classes, labels, predictions, columns }: Scene,
  key: string,
): ((point: number) => string | undefined) | null {
  const codes = { class: labels, prediction: predictions }[key];
  if (codes) {
    const words = classes.map(spelled);
    return (point) => words[classOf(codes, point)];
  }
  const categories = asCategories(columns.find(({ name }) => spelled(name) === key));
  const words = categories?.words.map(spelled) ?? [];
  return categories && ((point) => words[categoryOf(categories, point)]);
}

function numbersNamed({ features, columns }: Scene, key: string) {
  const all = [...features, ...columns.flatMap(({ numbers }) => numbers ?? [])];
  return all.find(({ name }) => spelled(name) === key);
}

/** A test of a column of words, if a line begins with its name and has a valid word. */
function columnTest({ columns }: Scene, line: string): Test | null {
  const lower = line.toLowerCase();
  const longest = columns
    .filter(({ name }) => lower.startsWith(spelled(name)))
    .sort((a, b) => b.name.length - a.name.length);
  for (const column of longest) {
    const { operator, value } = afterName(line, spelled(column.name));
    if (value && (operator === "=" || operator === "!=")) {
      const is = wordTest(column, value);
      if (is !== null) {
        return operator === "=" ? is : (point) => !is(point);
      }
    }
  }
  return null;
}

/** Null if the value is not a category. */
function wordTest(column: SceneColumn, value: string): Test | null {
  const { texts } = column;
  const categories = asCategories(column);
  if (categories !== null) {
    const own = categories.words.map(spelled).indexOf(spelled(value));
    return own < 0 ? null : (point) => categoryOf(categories, point) === own;
  }
  const wanted = value.trim().toLowerCase();
  // Texts are searched for a part, because users rarely know a full text.
  return texts && ((point) => texts.at(point).toLowerCase().includes(wanted));
}

const CATEGORIES_NAMED = 5;

/** The message for an invalid comparison with a column of words. */
function columnWords(column: SceneColumn, operator?: string, value?: string): string {
  const categories = asCategories(column);
  const name = oneLine(column.name);
  if (value && operator !== "=" && operator !== "!=") {
    return SEARCH.equalOnly(`“${name}”`);
  }
  const example = categories ? categoryTitle(categories, 0) : "…";
  if (!value || categories === null) {
    return SEARCH.value(name, "=", example);
  }
  const few = categories.words.slice(0, CATEGORIES_NAMED).map(oneLine).join(", ");
  const more = categories.words.length > CATEGORIES_NAMED ? ", …" : "";
  return SEARCH.never(name, value.trim(), few + more);
}

/** The name at the start of a line: the longest match, because names may contain signs. */
function nameAt({ features, columns }: Scene, line: string): string | null {
  const lower = line.toLowerCase();
  const names = [...features, ...columns].map(({ name }) => name);
  const matching = ["class", "prediction", "certainty", ...names]
    .map(spelled)
    .filter((name) => {
      const rest = lower.slice(name.length);
      return name !== "" && lower.startsWith(name) && (rest === "" || REST.test(rest));
    })
    .sort((a, b) => b.length - a.length);
  return matching.length > 0 ? line.slice(0, matching[0].length) : null;
}

function ofClass(
  scene: Scene,
  classes: Tensor<Codes>,
  operator: string,
  value: string,
): Test | string {
  const wanted = scene.classes.findIndex((name) => spelled(name) === spelled(value));
  if (wanted < 0) {
    return SEARCH.noClass(value.trim());
  }
  if (operator !== "=" && operator !== "!=") {
    return SEARCH.equalOnly("Classes");
  }
  return (point) => (classOf(classes, point) === wanted) === (operator === "=");
}

/** A name for comparison: on one line, without regard to case. */
function spelled(name: string): string {
  return oneLine(name).toLowerCase();
}
