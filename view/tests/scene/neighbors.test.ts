import { expect, test } from "vitest";
import { measuresOf, neighborsOf } from "../../src/scene/neighbors";
import type { Metric, Scene, SceneModel } from "../../src/scene/scene";
import { bareScene, weighed as inWeights, madeScene, tensor } from "../made_scene";

const D = 4;
const WEIGHTS = Float64Array.of(1, 0.5, 2, 0.25);
const FACTORS = Float64Array.of(1, 0, 2, 0, 0, 3, 0, -1);

const made = madeScene({ d: D });
const model = made.model as SceneModel;
const weighed: Scene = { ...made, neighbors: inWeights("standard_deviation", WEIGHTS) };

function learned(metric: Metric): Scene {
  return { ...weighed, model: { ...model, metric } };
}

function difference({ features }: Scene, i: number, j: number): number[] {
  return features.map(({ values }) => values[i] - values[j]);
}

/** All others by a distance, the nearest first. */
function sorted(scene: Scene, object: number, far: (v: number[]) => number) {
  return Array.from({ length: scene.n_points }, (_, point) => point)
    .filter((point) => point !== object)
    .map((point) => ({ point, distance: far(difference(scene, point, object)) }))
    .sort((a, b) => a.distance - b.distance || a.point - b.point)
    .slice(0, 10);
}

const length = (v: number[]) => Math.hypot(...v);
const inData = (v: number[]) => length(v.map((value, j) => WEIGHTS[j] * value));
const byRows = (factors: Float64Array, rows: number) => (v: number[]) =>
  length(
    Array.from({ length: rows }, (_, m) =>
      v.reduce((sum, value, j) => sum + factors[m * D + j] * value, 0),
    ),
  );

function expectSame(
  found: readonly { point: number; distance: number }[],
  wanted: readonly { point: number; distance: number }[],
) {
  expect(found.map(({ point }) => point)).toEqual(wanted.map(({ point }) => point));
  found.forEach(({ distance }, k) => {
    expect(distance).toBeCloseTo(wanted[k].distance, 6);
  });
}

test("the ten nearest by weighed differences of features, the nearest first", () => {
  for (const object of [0, 7, 59]) {
    expectSame(neighborsOf(weighed, object, "data"), sorted(weighed, object, inData));
  }
});

test("a model that learned a metric measures by it, if that is wanted", () => {
  const metric: Metric = { kind: "factor", factors: tensor(FACTORS, 2, D) };
  const scene = learned(metric);
  expect(measuresOf(scene)).toEqual(["data", "model"]);
  const wanted = sorted(scene, 7, byRows(FACTORS, 2));
  expectSame(neighborsOf(scene, 7, "model"), wanted);
  expectSame(neighborsOf(scene, 7, "data"), sorted(scene, 7, inData));
});

test("of local metrics, that of the nearest prototype counts", () => {
  const local = Float64Array.from({ length: 3 * 2 * D }, (_, e) => Math.sin(e));
  const scene = learned({ kind: "local", factors: tensor(local, 3, 2, D) });
  const prototype = model.member_of.data[7];
  const own = local.subarray(prototype * 2 * D, (prototype + 1) * 2 * D);
  expectSame(neighborsOf(scene, 7, "model"), sorted(scene, 7, byRows(own, 2)));
});

test("a metric that only scales the data is none of the model's own", () => {
  const scaled = learned({ kind: "diagonal", factors: tensor(WEIGHTS) });
  expect(measuresOf(scaled)).toEqual(["data"]);
  const relevant = WEIGHTS.map((weight, j) => weight * (j + 1));
  const scene = learned({ kind: "diagonal", factors: tensor(relevant) });
  expect(measuresOf(scene)).toEqual(["data", "model"]);
  const far = (v: number[]) => length(v.map((value, j) => relevant[j] * value));
  expectSame(neighborsOf(scene, 7, "model"), sorted(scene, 7, far));
});

test("equal distances stand in the order of the rows, and copies are neighbours", () => {
  const features = made.features.map((feature) => ({
    ...feature,
    values: feature.values.map((_, i) => i % 5),
  }));
  const near = neighborsOf({ ...weighed, features }, 12, "data");
  expect(near.map(({ point }) => point)).toEqual([
    2, 7, 17, 22, 27, 32, 37, 42, 47, 52,
  ]);
  expect(near.every(({ distance }) => distance === 0)).toBe(true);
});

test("objects with missing values are nobody's neighbours", () => {
  const features = made.features.map((feature, j) => ({
    ...feature,
    values: feature.values.map((value, i) => (j === 0 && i < 40 ? Number.NaN : value)),
  }));
  const scene = { ...weighed, features };
  expect(neighborsOf(scene, 50, "data").every(({ point }) => point >= 40)).toBe(true);
  expect(neighborsOf(scene, 3, "data")).toEqual([]);
});

test("where not all features are shown, the neighbours are those of the list", () => {
  const scene: Scene = {
    ...bareScene(3),
    neighbors: {
      unit: "data",
      weights: null,
      nearest: tensor(Uint8Array.of(1, 2, 0, 2, 1, 0), 3, 2),
      distances: tensor(Float32Array.of(1, 2, 1, 1.5, 1.5, 2), 3, 2),
    },
  };
  expect(measuresOf(scene)).toEqual(["data"]);
  expect(neighborsOf(scene, 2, "data")).toEqual([
    { point: 1, distance: 1.5 },
    { point: 0, distance: 2 },
  ]);
});

test("a scene without data, or of an older version, tells no neighbours", () => {
  expect(measuresOf(bareScene())).toEqual([]);
  expect(measuresOf(made)).toEqual([]);
});
