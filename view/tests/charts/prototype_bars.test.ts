import { expect, test } from "vitest";
import {
  comparison as compared,
  type Mode,
  type Order,
} from "../../src/charts/prototype_bars";
import { subjectsOf } from "../../src/scene/compared";
import { distanceTerms } from "../../src/scene/metric";
import type { Metric, Scene, SceneModel } from "../../src/scene/scene";
import { madeScene, tensor } from "../made_scene";

const scene = madeScene({ perClass: 2, d: 4 });
const model = scene.model as SceneModel;
const W = model.prototypes.values.data;
const last = scene.features.length - 1;

function comparison(
  given: Scene,
  own: SceneModel,
  prototypes: number[],
  object: number | null,
  mode: Mode,
  order: Order,
) {
  const shown = { ...given, model: own };
  return compared(
    shown,
    subjectsOf(shown, { prototypes, compared: [], object }),
    mode,
    order,
  );
}

test("raw values are those of the prototypes and of the object", () => {
  const { series, groups } = comparison(scene, model, [2, 0], 5, "raw", "relevance");
  expect(series.map(({ name }) => name)).toEqual([
    "class 1, no. 1",
    "<b>bold</b>, no. 1",
    "object 5",
  ]);
  // The last feature is the most relevant.
  expect(groups[0].name).toBe(scene.features[last].name);
  expect(groups[0].values).toEqual([
    W[2 * 4 + last],
    W[last],
    scene.features[last].values[5],
  ]);
});

test("scaled values are shares of the training range, and name the raw ones", () => {
  const { groups } = comparison(scene, model, [0], null, "scaled", "relevance");
  const { low, high } = scene.features[last];
  expect(groups[0].values[0]).toBeCloseTo((W[last] - low) / (high - low), 12);
  expect(groups[0].notes).toHaveLength(1);
});

test("contributions add up to the squared distance from the first chosen", () => {
  const { series, groups } = comparison(
    scene,
    model,
    [0, 3],
    5,
    "contribution",
    "difference",
  );
  expect(series).toHaveLength(2);
  const sums = [0, 1].map((s) =>
    groups.reduce((sum, group) => sum + group.values[s], 0),
  );
  expect(sums[0]).toBeCloseTo(model.prototypes.distances.data[3], 10);
  const gaps = scene.features.map(({ values }, j) => W[j] - values[5]);
  expect(sums[1]).toBeCloseTo(
    gaps.reduce((sum, gap) => sum + gap * gap, 0),
    10,
  );
});

test("with local metrics the other prototype measures, and the first one an object", () => {
  const factors = Float64Array.from({ length: 6 * 4 }, (_, i) => i % 5);
  const metric: Metric = { kind: "local", factors: tensor(factors, 6, 1, 4) };
  const local = { ...model, metric };
  const { groups } = comparison(scene, local, [0, 3], 5, "contribution", "relevance");
  const toOther = scene.features.map((_, j) => W[j] - W[12 + j]);
  const toObject = scene.features.map(({ values }, j) => W[j] - values[5]);
  groups.forEach((group, i) => {
    expect(group.values[0]).toBeCloseTo(
      distanceTerms(toOther, metric, 3)[last - i],
      10,
    );
    expect(group.values[1]).toBeCloseTo(
      distanceTerms(toObject, metric, 0)[last - i],
      10,
    );
  });
});

test("by difference, the feature in which the chosen lie farthest apart comes first", () => {
  const { groups } = comparison(scene, model, [0, 3], null, "scaled", "difference");
  const gaps = groups.map(({ values }) => Math.abs(values[0] - values[1]));
  expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
});

test("prototypes of one class share a colour, each further one lighter", () => {
  const { series } = comparison(scene, model, [0, 1, 2], null, "raw", "relevance");
  expect(series[0].color).toBe(series[1].color);
  expect(series.map(({ opacity }) => opacity)).toEqual([1, 0.5, undefined]);
});

test("features in very different units get axes of their own", () => {
  expect(comparison(scene, model, [0], null, "scaled", "relevance").axis).toEqual({
    low: 0,
    high: 1,
  });
  const values = W.map((value, i) => (i % 4 === 1 ? 1000 * value : value));
  const prototypes = { ...model.prototypes, values: tensor(values, 6, 4) };
  const unlike = { ...model, prototypes };
  expect(comparison(scene, unlike, [0, 1], null, "raw", "relevance").axis).toBe("each");
  const alike = {
    ...model.prototypes,
    values: tensor(
      W.map((v) => 1 + v),
      6,
      4,
    ),
  };
  expect(
    comparison(scene, { ...model, prototypes: alike }, [0], null, "raw", "relevance")
      .axis,
  ).toMatchObject({ low: 0 });
});

test("an assumed value of the object has no bar, but counts in the distance", () => {
  const features = scene.features.map((feature, j) =>
    j === last ? { ...feature, imputed: Uint32Array.of(5) } : feature,
  );
  const gap = { ...scene, features };
  for (const mode of ["raw", "scaled"] as const) {
    const { groups } = comparison(gap, model, [0], 5, mode, "relevance");
    expect(groups[0].values[1]).toBeNaN();
    expect(groups[1].values[1]).not.toBeNaN();
  }
  const same = (given: typeof scene) =>
    comparison(given, model, [0], 5, "contribution", "relevance").groups[0].values;
  expect(same(gap)).toEqual(same(scene));
});
