import { expect, test } from "vitest";
import { contributionsOf, distanceTerms, nearestClasses } from "../../src/scene/metric";
import type { Metric, SceneModel } from "../../src/scene/scene";
import { madeScene } from "../made_scene";

const v = [-0.99, 0.46, 2.02, -0.26];
const Omega = [-0.2, -1.04, 0.32, -1.25, -1.11, 1.28, -0.91, 1.08];

function metric(kind: Metric["kind"], values: number[], ...shape: number[]): Metric {
  return { kind, factors: { data: Float64Array.from(values), shape } };
}

/** Numbers of `distance_terms` in Python. */
const OF_MATRIX = [-0.33713757, -0.58452384, 1.23947806, 0.34568404];

test("terms of a matrix are those of Python, and add up to the squared distance", () => {
  const terms = distanceTerms(v, metric("factor", Omega, 2, 4), 0);
  OF_MATRIX.forEach((value, j) => {
    expect(terms[j]).toBeCloseTo(value, 12);
  });
  const images = [0, 1].map((m) =>
    v.reduce((sum, x, j) => sum + x * Omega[4 * m + j], 0),
  );
  const squared = images[0] ** 2 + images[1] ** 2;
  expect(terms.reduce((a, b) => a + b)).toBeCloseTo(squared, 12);
});

test("terms of a diagonal metric are squares", () => {
  const terms = distanceTerms(v, metric("diagonal", [1.52, 0.26, 0.55, 1.95], 4), 0);
  [2.26442304, 0.01430416, 1.234321, 0.257049].forEach((value, j) => {
    expect(terms[j]).toBeCloseTo(value, 12);
  });
});

test("without a metric the terms are squared differences", () => {
  const terms = distanceTerms([1, -2], { kind: "euclidean", factors: null }, 0);
  expect([...terms]).toEqual([1, 4]);
});

test("where each prototype has a matrix, that of the prototype counts", () => {
  const local = metric("local", [...Omega.map(() => 9), ...Omega], 2, 2, 4);
  distanceTerms(v, local, 1).forEach((value, j) => {
    expect(value).toBeCloseTo(OF_MATRIX[j], 12);
  });
});

const scene = madeScene();
const model = scene.model as SceneModel;

function sum(values: ArrayLike<number> | null): number {
  return Array.from(values ?? []).reduce((a, b) => a + b, 0);
}

test("contributions add up to the margin in squared distance", () => {
  const [own, foreign] = nearestClasses(model, 7);
  const found = contributionsOf(scene, model, 7);
  expect(found).toHaveLength(5);
  expect(sum(found)).toBeCloseTo(foreign.distance - own.distance, 4);
});

test("where distances are plain, they add up to the lead in distance", () => {
  const roots = model.class_distances?.data.map(Math.sqrt) ?? new Float32Array();
  const class_distances = { data: roots, shape: [60, 3] };
  const plain = { ...model, squared: false, class_distances };
  const [own, foreign] = nearestClasses(plain, 7);
  expect(sum(contributionsOf(scene, plain, 7))).toBeCloseTo(
    foreign.distance - own.distance,
    4,
  );
});

test("without a metric, a value, or knowing what distances are, there are none", () => {
  expect(contributionsOf(scene, { ...model, metric: null }, 7)).toBeNull();
  expect(contributionsOf(scene, { ...model, squared: null }, 7)).toBeNull();
  const values = scene.features[0].values.slice();
  values[7] = Number.NaN;
  const [first, ...others] = scene.features;
  const features = [{ ...first, values }, ...others];
  expect(contributionsOf({ ...scene, features }, model, 7)).toBeNull();
});
