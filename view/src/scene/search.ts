/** Finds points by id, by text, or by what is known of them: `alcohol > 13`. */

import { asCategories, type CategoryColumn, categoryOf, categoryTitle } from "./fields";
import { classOf, classTitle, objectId, oneLine } from "./names";
import type { Codes, Feature, Scene, SceneColumn, Strings, Tensor } from "./scene";
import { comparable, meant, written } from "./values";

/** Points found, or words that say why the question was not understood. */
type Found = { points: Uint32Array } | { words: string };

type Test = (point: number) => boolean;

/** A sign of comparison, with what stands around it. */
const COMPARISON = /^(.+?)\s*(<=|>=|!=|=|<|>)\s*(.*)$/;
const REST = /^\s*(<=|>=|!=|=|<|>)\s*(.*)$/;

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const WORDS = {
  number: "number",
  date: "date, such as 2021-03-04,",
  truth: "“yes” or “no”",
} as const;

/** Search a scene. Several comparisons are joined by `and`. */
export function search(scene: Scene, question: string): Found {
  const text = question.trim();
  if (text === "") {
    return { points: new Uint32Array() };
  }
  const tests = comparisons(scene, text).map((part) => comparison(scene, part));
  if (tests.every((test) => typeof test === "function")) {
    const points = where(scene, (point) => tests.every((test) => test(point)));
    return points.length > 0 ? { points } : { words: `No point has ${text}.` };
  }
  // An id may hold signs of comparison too.
  const points = called(scene, text);
  const words = tests.find((test) => typeof test === "string") ?? "Nothing found.";
  return points.length > 0 ? { points } : { words };
}

/** The parts between `and`; one without a sign belongs to the name after or before it. */
function comparisons(scene: Scene, text: string): string[] {
  const parts: string[] = [];
  let signless: string[] = [];
  const joined = (...pieces: string[]) => pieces.join(" and ");
  for (const part of text.split(/\s+and\s+/i)) {
    if (!COMPARISON.test(part)) {
      signless.push(part);
      continue;
    }
    const whole = joined(...signless, part);
    if (parts.length === 0 || knownName(scene, whole) !== null) {
      parts.push(whole);
    } else {
      parts.push(joined(...parts.splice(-1), ...signless), part);
    }
    signless = [];
  }
  return signless.length === 0
    ? parts
    : [...parts.slice(0, -1), joined(...parts.slice(-1), ...signless)];
}

/** A test for one comparison; null for plain text, words where it makes no sense. */
function comparison(scene: Scene, part: string): Test | string | null {
  const line = oneLine(part);
  const ofColumn = columnTest(scene, line);
  if (ofColumn !== null) {
    return ofColumn;
  }
  const name = knownName(scene, line);
  const match = name === null ? COMPARISON.exec(line) : null;
  if (match) {
    return `No feature is called “${match[1]}”.`;
  }
  if (name === null) {
    return null;
  }
  const [, operator, value] = REST.exec(line.slice(name.length)) ?? [];
  const key = name.toLowerCase();
  if (key === "class" || key === "prediction") {
    const classes = key === "class" ? scene.labels : scene.predictions;
    return !classes
      ? `This scene holds no ${key}.`
      : value
        ? ofClass(scene, classes, operator, value)
        : `Say which ${key}, as in ${key} = ${classTitle(scene, 0)}.`;
  }
  const numbers: Omit<Feature, "name"> | undefined =
    key === "certainty" && scene.certainty
      ? { values: scene.certainty.data, low: 0, high: 1 }
      : numbersNamed(scene, key);
  if (!numbers) {
    const column = scene.columns?.find((one) => spelled(one.name) === key);
    return column
      ? columnWords(column, operator, value)
      : `No feature is called “${name}”.`;
  }
  if (!value) {
    const { kind, low, high } = numbers;
    const usual = kind === "truth" ? "yes" : written(numbers, (low + high) / 2);
    const sign = operator ?? (kind === "truth" ? "=" : ">");
    return `Say what to compare with, as in ${name} ${sign} ${usual}.`;
  }
  const wanted = meant(numbers, value);
  if (Number.isNaN(wanted)) {
    return `“${value}” is no ${WORDS[numbers.kind ?? "number"]} to compare with.`;
  }
  // Values are kept in single precision: compare as they are kept.
  const kept = Math.fround(wanted);
  const shown = comparable(numbers);
  return (point) => COMPARE[operator](shown(numbers.values[point]), kept);
}

function numbersNamed({ features, columns = [] }: Scene, key: string) {
  const all = [...features, ...columns.flatMap(({ numbers }) => numbers ?? [])];
  return all.find(({ name }) => spelled(name) === key);
}

/** A test of a column of words, if a line begins with one and says a word of it. */
function columnTest({ columns = [] }: Scene, line: string): Test | null {
  const lower = line.toLowerCase();
  const longest = columns
    .filter(({ name }) => lower.startsWith(spelled(name)))
    .sort((a, b) => b.name.length - a.name.length);
  for (const column of longest) {
    const [, operator, value] =
      REST.exec(line.slice(spelled(column.name).length)) ?? [];
    if (value && (operator === "=" || operator === "!=")) {
      const is = wordTest(column, value);
      if (is !== null) {
        return operator === "=" ? is : (point) => !is(point);
      }
    }
  }
  return null;
}

function wordTest(column: SceneColumn, value: string): Test | null {
  const categories = asCategories(column);
  return categories !== null
    ? categoryTest(categories, value)
    : column.texts
      ? holds(column.texts, value)
      : null;
}

/** Null where it is no category. */
function categoryTest(column: CategoryColumn, value: string): Test | null {
  const wanted = column.words.findIndex((word) => spelled(word) === spelled(value));
  return wanted < 0 ? null : (point) => categoryOf(column, point) === wanted;
}

/** Texts are searched for what they hold: few are known by heart. */
function holds(texts: Strings, value: string): Test {
  const wanted = value.trim().toLowerCase();
  return (point) => texts.at(point).toLowerCase().includes(wanted);
}

const CATEGORIES_NAMED = 5;

/** Why a comparison with a column of words was not understood. */
function columnWords(column: SceneColumn, operator?: string, value?: string): string {
  const categories = asCategories(column);
  const name = oneLine(column.name);
  if (value && operator !== "=" && operator !== "!=") {
    return `“${name}” can be compared by = and != only.`;
  }
  const example = categories ? categoryTitle(categories, 0) : "…";
  if (!value || categories === null) {
    return `Say what to compare with, as in ${name} = ${example}.`;
  }
  const few = categories.words.slice(0, CATEGORIES_NAMED).map(oneLine).join(", ");
  const more = categories.words.length > CATEGORIES_NAMED ? ", …" : "";
  return `“${name}” is never “${value.trim()}”; it is ${few}${more}.`;
}

/** The name with which a line begins: the longest, as names may hold signs too. */
function knownName({ features, columns = [] }: Scene, line: string): string | null {
  const lower = line.toLowerCase();
  const names = [...features, ...columns].map(({ name }) => name);
  const found = ["class", "prediction", "certainty", ...names]
    .map(spelled)
    .filter((name) => {
      const rest = lower.slice(name.length);
      return name !== "" && lower.startsWith(name) && (rest === "" || REST.test(rest));
    })
    .sort((a, b) => b.length - a.length);
  return found.length > 0 ? line.slice(0, found[0].length) : null;
}

function ofClass(
  scene: Scene,
  classes: Tensor<Codes>,
  operator: string,
  value: string,
): Test | string {
  const wanted = scene.classes.findIndex((name) => spelled(name) === spelled(value));
  if (wanted < 0) {
    return `No class is called “${value.trim()}”.`;
  }
  if (operator !== "=" && operator !== "!=") {
    return "Classes can be compared by = and != only.";
  }
  return (point) => (classOf(classes, point) === wanted) === (operator === "=");
}

/** A name as a person writes it: on one line, in any case. */
function spelled(name: string): string {
  return oneLine(name).toLowerCase();
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
