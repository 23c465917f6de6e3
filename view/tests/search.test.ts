import { expect, test } from "vitest";
import { search } from "../src/search";
import { bareScene, MARKUP, madeScene } from "./made_scene";

const scene = madeScene();
const values = scene.features[1].values;

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
  expect(found("nobody")).toEqual([]);
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
  const both = own.filter((i) => values[i] > 2);
  expect(found("class = class 1 and feature 1 > 2")).toEqual(both);
});

test("what makes no sense is answered in words", () => {
  expect(words("size > 3")).toContain("size");
  expect(words("feature 1 > blue")).toContain("blue");
  expect(words("class = class 9")).toContain("class 9");
  expect(words("class > class 1")).toContain("=");
});

test("an empty question chooses nothing", () => {
  expect(found("   ")).toEqual([]);
});
