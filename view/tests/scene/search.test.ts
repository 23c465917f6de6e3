import { expect, test } from "vitest";
import { search } from "../../src/scene/search";
import { columnedScene } from "../columned";
import { bareScene, feature, MARKUP, madeScene } from "../made_scene";

const scene = madeScene();
const values = scene.features[1].values;
/** Among the values of class 1. */
const MIDDLE = values[1];

function found(question: string): number[] {
  const answer = search(scene, question);
  return "points" in answer ? [...answer.points] : [-1];
}

function words(question: string): string {
  const answer = search(scene, question);
  return "words" in answer ? answer.words : "";
}

test("plain text finds ids that hold it, in any case", () => {
  expect(found("OBJECT 12")).toEqual([12]);
  expect(found(MARKUP)).toEqual([0]);
  expect(words("nobody")).toBe("Nothing found.");
});

test("row numbers are the ids of points without any", () => {
  const answer = search(bareScene(), "7");
  expect("points" in answer && [...answer.points]).toEqual([7]);
});

test("a comparison finds the points whose feature meets it", () => {
  const above = [...values.keys()].filter((i) => values[i] > 2);
  expect(found("feature 1 > 2")).toEqual(above);
  expect(found("Feature 1>2")).toEqual(above);
  expect(found("feature 1 <= 2").length).toBe(scene.n_points - above.length);
});

test("a value is equal to itself although it is kept in single precision", () => {
  const rounded = { ...scene.features[1], values: Float32Array.of(0.1, 0.2) };
  const two = { ...scene, n_points: 2, features: [rounded] };
  const answer = search(two, "feature 1 = 0.1");
  expect("points" in answer && [...answer.points]).toEqual([0]);
});

test("classes are compared by name, and joined with more", () => {
  const own = [...values.keys()].filter((i) => i % 3 === 1);
  expect(found("class = CLASS 1")).toEqual(own);
  expect(found("class != class 1").length).toBe(scene.n_points - own.length);
  const both = own.filter((i) => values[i] > MIDDLE);
  expect(both.length).toBeGreaterThan(5);
  expect(found(`class = class 1 and feature 1 > ${MIDDLE}`)).toEqual(both);
});

test("what makes no sense is answered in words", () => {
  expect(words("size > 3")).toContain("size");
  expect(words("feature 1 > blue")).toContain("blue");
  expect(words("class = class 9")).toContain("class 9");
  expect(words("class > class 1")).toContain("=");
});

test("an exact id or row number wins over longer ones", () => {
  expect(found("object 1")).toEqual([1]);
  const answer = search(bareScene(30), "1");
  expect("points" in answer && [...answer.points]).toEqual([1]);
});

test("the name of a class finds its points, also a part of it", () => {
  const named = { ...scene, classes: ["oak", "brown-spot", "elm"] };
  for (const text of ["Brown-Spot", "brown"]) {
    const answer = search(named, text);
    const points = "points" in answer ? [...answer.points] : [];
    expect(points).toEqual([...values.keys()].filter((i) => i % 3 === 1));
  }
});

test("names of features may hold signs of comparison, and `and`", () => {
  const [, one, two] = scene.features;
  const features = [
    { ...one, name: "date=april" },
    { ...two, name: "salt and pepper" },
  ];
  const odd = { ...scene, features };
  const above = search(odd, `date=april > ${MIDDLE} and salt and pepper < 9`);
  const wanted = [...values.keys()].filter(
    (i) => values[i] > MIDDLE && two.values[i] < 9,
  );
  expect(wanted.length).toBeGreaterThan(5);
  expect("points" in above && [...above.points]).toEqual(wanted);
});

test("the name of a class may hold `and`", () => {
  const named = { ...scene, classes: ["salt and pepper", "b", "c"] };
  const answer = search(named, "class = salt and pepper and certainty > 0.5");
  expect("points" in answer && answer.points).toHaveLength(20);
});

test("what is not said is asked for, and what nothing meets is told", () => {
  expect(words("feature 1 >")).toMatch(
    /^Write a value to compare with, as in feature 1 > \d/,
  );
  expect(words("feature 1")).toContain("as in feature 1 >");
  expect(words("class =")).toContain("class = <b>bold</b>");
  expect(words("feature 1 > 1000")).toBe("No point has feature 1 > 1000.");
});

test("an empty question chooses nothing", () => {
  expect(found("   ")).toEqual([]);
});

test("dates and truth values are compared as they are written", () => {
  const day = Float32Array.of(18_689, 18_690, 18_690.5, 18_691);
  const sure = Float32Array.of(0, 1, 1, 0);
  const features = [
    feature({
      name: "day\nof birth",
      low: 18_689,
      high: 18_691,
      values: day,
      kind: "date",
    }),
    feature({ name: "sure", values: sure, kind: "truth" }),
  ];
  const dated = { ...madeScene({ n: 4 }), features };
  const points = (question: string) => {
    const answer = search(dated, question);
    return "points" in answer ? [...answer.points] : answer.words;
  };
  expect(points("day of birth > 2021-03-04")).toEqual([3]);
  expect(points("day of birth = 2021-03-04")).toEqual([1, 2]);
  expect(points("day of birth <= 2021-03-04 and sure = yes")).toEqual([1, 2]);
  expect(points("day of birth > yesterday")).toContain("2021-03-04");
  expect(points("sure = maybe")).toContain("“yes” or “no”");
});

const columned = columnedScene();

function inColumns(question: string): number[] | string {
  const answer = search(columned, question);
  return "points" in answer ? [...answer.points] : answer.words;
}

const all = [...Array(60).keys()];

test("columns of categories are searched by their words", () => {
  const red = all.filter((i) => i % 3 === 2 && i !== 5);
  expect(inColumns("colour = red")).toEqual(red);
  expect(inColumns("Colour=RED")).toEqual(red);
  expect(inColumns("colour != red")).toEqual(all.filter((i) => !red.includes(i)));
  expect(inColumns("colour = red and wood = soft")).toEqual(
    red.filter((i) => i % 2 === 1),
  );
});

test("a feature of a column is found by its own name too", () => {
  expect(inColumns("colour=red = yes")).toEqual(inColumns("colour = red"));
});

test("columns that are only shown are searched as well", () => {
  expect(inColumns("batch = a")).toEqual(all.slice(0, 10));
  expect(inColumns("dose < 3")).toEqual([0, 1, 2]);
  expect(inColumns("note = damaged")).toEqual([7]);
  expect(inColumns("damaged")).toEqual([7]);
});

test("what is no category is answered with those that are", () => {
  expect(inColumns("colour = purple")).toBe(
    "“colour” is never “purple”. Its values are blue, green, red.",
  );
  expect(inColumns("colour > red")).toBe(
    "“colour” can only be compared with = and !=.",
  );
  expect(inColumns("colour =")).toBe(
    "Write a value to compare with, as in colour = blue.",
  );
});

test("questions are joined by and, or, not and brackets", () => {
  const red = new Set(inColumns("colour = red") as number[]);
  expect(inColumns("not (colour = red or dose < 30)")).toEqual(
    all.filter((i) => !red.has(i) && i >= 30),
  );
  expect(inColumns("dose < 2 or colour = red and dose > 55")).toEqual(
    all.filter((i) => i < 2 || (red.has(i) && i > 55)),
  );
  expect(inColumns("not damaged and dose < 9")).toEqual(
    all.filter((i) => i < 9 && i !== 7),
  );
});

test("what a model says is compared with what is so", () => {
  const wrong = all.filter((i) => scene.predictions?.data[i] !== scene.labels?.data[i]);
  const odd = {
    ...scene,
    predictions: { data: Uint8Array.from(all, (i) => i % 2), shape: [60] },
  };
  const answer = search(odd, "prediction != class and class = class 1");
  expect("points" in answer && [...answer.points]).toEqual(
    all.filter((i) => i % 3 === 1 && i % 2 !== 1),
  );
  expect(found("prediction == class")).toEqual(all.filter((i) => !wrong.includes(i)));
  expect(words("prediction > class")).toContain("= and !=");
});

test("two columns of numbers are compared with each other", () => {
  const [, one, two] = scene.features;
  expect(found("feature 1 > feature 2")).toEqual(
    all.filter((i) => one.values[i] > two.values[i]),
  );
});

test("values in quotation marks may hold anything", () => {
  const named = { ...scene, classes: ["this or class = that", "b", "c"] };
  const answer = search(named, 'class = "this or class = that" and certainty > 0.5');
  expect("points" in answer && answer.points).toHaveLength(20);
});

test("brackets that don't match are told", () => {
  expect(words("feature 1 > 2)")).toContain("parenthesis that was not opened");
  expect(words("(feature 1 > 2")).toContain("is not closed: add “)”");
  expect(words("nobody and feature 1 > 2")).toContain("Nothing is called “nobody”");
});
