import { expect, test } from "vitest";
import { distanceBetween, subjectsOf } from "../../src/scene/compared";
import type { Metric, Scene, SceneModel } from "../../src/scene/scene";
import { madeScene, tensor, weighed } from "../made_scene";

const scene = madeScene({ perClass: 2, d: 4 });
const model = scene.model as SceneModel;
const W = model.prototypes.values.data;

function between(given: Scene, prototypes: number[], compared: number[]): number {
  const [a, b] = subjectsOf(given, { prototypes, compared, object: null });
  const there = distanceBetween(given, a, b);
  expect(distanceBetween(given, b, a)).toBe(there);
  return there;
}

/** The squared length of Omega times a difference, straight from the formula. */
function squareBy(omega: number[][], v: number[]): number {
  return omega
    .map((row) => row.reduce((sum, factor, j) => sum + factor * v[j], 0))
    .reduce((sum, image) => sum + image * image, 0);
}

const object = (i: number) => scene.features.map(({ values }) => values[i]);
const prototype = (p: number) => Array.from(W.subarray(4 * p, 4 * p + 4));
const minus = (a: number[], b: number[]) => a.map((value, j) => value - b[j]);

test("who is compared: prototypes, then objects; without these, the open one", () => {
  const names = (compared: number[]) =>
    subjectsOf(scene, { prototypes: [2], compared, object: 5 }).map(({ name }) => name);
  expect(names([])).toEqual(["class 1, no. 1", "object 5"]);
  expect(names([8, 7])).toEqual(["class 1, no. 1", "object 8", "object 7"]);
});

test("to the nearest prototype of a class it is what the scene holds", () => {
  const k = scene.classes.length;
  for (const point of [4, 9]) {
    for (let c = 0; c < k; c++) {
      const p = model.class_nearest?.data[point * k + c] as number;
      expect(between(scene, [p], [point])).toBe(
        model.class_distances?.data[point * k + c],
      );
    }
  }
});

test("to any other prototype, and between objects, it is measured by the metric", () => {
  const omega = [
    [1, 2, 0, -1],
    [0, 1, 1, 3],
  ];
  const metric: Metric = {
    kind: "factor",
    factors: tensor(Float64Array.from(omega.flat()), 2, 4),
  };
  const own = { ...scene, model: { ...model, metric, class_nearest: null } };
  const square = squareBy(omega, minus(object(4), prototype(3)));
  expect(between(own, [3], [4])).toBeCloseTo(square, 8);
  const others = squareBy(omega, minus(object(4), object(11)));
  expect(between(own, [], [4, 11])).toBeCloseTo(others, 8);
  const plain = { ...own, model: { ...own.model, squared: false } };
  expect(between(plain, [3], [4])).toBeCloseTo(Math.sqrt(square), 8);
});

test("between prototypes it is the mean of both ways", () => {
  const k = W.length / 4;
  const { data } = model.prototypes.distances;
  expect(between(scene, [1, 4], [])).toBe((data[k + 4] + data[4 * k + 1]) / 2);
});

test("local metrics: the prototype's own measures an object, two objects have none", () => {
  const factors = Float64Array.from({ length: 6 * 4 }, (_, i) => (i % 5) + 1);
  const metric: Metric = { kind: "local", factors: tensor(factors, 6, 1, 4) };
  const own = { ...scene, model: { ...model, metric, class_nearest: null } };
  const omega = [Array.from(factors.subarray(12, 16))];
  expect(between(own, [3], [4])).toBeCloseTo(
    squareBy(omega, minus(object(4), prototype(3))),
    8,
  );
  expect(between(own, [], [4, 11])).toBeNaN();
});

test("it is not known where features are missing in the scene", () => {
  const part = { ...scene, n_features: 9, model: { ...model, class_nearest: null } };
  expect(between(part, [3], [4])).toBeNaN();
});

test("without a model it is the distance in the data", () => {
  const weights = Float64Array.of(1, 0.5, 2, 3);
  const map = { ...scene, model: null, neighbors: weighed("data", weights) };
  const omega = Array.from(weights, (weight, j) =>
    [0, 1, 2, 3].map((i) => (i === j ? weight : 0)),
  );
  expect(between(map, [], [4, 11])).toBeCloseTo(
    Math.sqrt(squareBy(omega, minus(object(4), object(11)))),
    8,
  );
});
