/** One comparison of a question: a name, a sign, and what to compare with. */

import { asCategories, type CategoryColumn, categoryOf, categoryTitle } from "./fields";
import type { Codes, Feature, Scene, SceneColumn, Strings, Tensor } from "./scene";
import { classOf, classTitle, oneLine } from "./words/names";
import { comparable, meant, written } from "./words/values";

export type Test = (point: number) => boolean;

/** A sign of comparison, with what stands around it. */
const COMPARISON = /^(.+?)\s*(<=|>=|!=|==?|<|>)\s*(.*)$/;
const REST = /^\s*(<=|>=|!=|==?|<|>)\s*(.*)$/;
/** Quotation marks around a value: what is between them is meant as it stands. */
const QUOTED = /^["“„]([^"“”„]*)["”“]$/;

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

/** Sign and value after the name; nothing where no sign follows. */
function afterName(line: string, name: string): { operator?: string; value?: string } {
  const [, sign, value] = REST.exec(line.slice(name.length)) ?? [];
  return {
    operator: sign === "==" ? "=" : sign,
    value: value && (QUOTED.exec(value)?.[1] ?? value),
  };
}

/** A test for one comparison; null for plain text, words where it makes no sense. */
export function comparison(scene: Scene, part: string): Test | string | null {
  const line = oneLine(part);
  const ofColumn = columnTest(scene, line);
  if (ofColumn !== null) {
    return ofColumn;
  }
  const name = nameAt(scene, line);
  const match = name === null ? COMPARISON.exec(line) : null;
  if (match) {
    return `No feature is called “${match[1]}”.`;
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
      ? `This scene holds no ${key}.`
      : operator && value
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
  if (!operator || !value) {
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

/** What is compared in two columns: numbers, or words by what they say. */
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
      : `“${name}” and “${key}” can be compared by = and != only.`;
  }
  const [numbers, others] = [numbersNamed(scene, name), numbersNamed(scene, key)];
  return numbers && others && Number.isNaN(meant(numbers, other))
    ? (point) => COMPARE[operator](numbers.values[point], others.values[point])
    : null;
}

/** The words of each point in a column of classes or categories; none where missing. */
function wordsNamed(
  { classes, labels, predictions, columns = [] }: Scene,
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
export function nameAt({ features, columns = [] }: Scene, line: string): string | null {
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
export function spelled(name: string): string {
  return oneLine(name).toLowerCase();
}
