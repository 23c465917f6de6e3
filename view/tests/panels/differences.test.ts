import { expect, test } from "vitest";
import { fieldDifferences } from "../../src/panels/differences";
import type { Feature } from "../../src/scene/scene";
import { bareScene, feature } from "../made_scene";

function of(name: string, values: number[]) {
  const known = values.filter((value) => !Number.isNaN(value));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return feature({ name, low, high, values: Float32Array.from(values) });
}

function compared(features: readonly Feature[], n: number, selection: Uint32Array) {
  return fieldDifferences({ ...bareScene(), n_points: n, features }, selection);
}

test("differences are means apart in standard deviations, the largest first", () => {
  const features = [of("same", [1, 2, 1, 2]), of("differs", [10, 12, 0, 2])];
  const { differences, sampled } = compared(features, 4, Uint32Array.of(0, 1));
  expect(sampled).toBe(false);
  expect(differences.map(({ field }) => field.name)).toEqual(["differs", "same"]);
  expect(differences[0]).toMatchObject({ chosen: 11, rest: 1 });
  // Mean 6, squares 16, 36, 36, 16: variance 26.
  expect(differences[0].size).toBeCloseTo(10 / Math.sqrt(26), 12);
  expect(differences[1].size).toBe(0);
});

test("missing values are left out, and what has no values has no difference", () => {
  const features = [
    of("some", [4, Number.NaN, 1, 3]),
    of("none selected", [Number.NaN, Number.NaN, 1, 2]),
    of("constant", [5, 5, 5, 5]),
  ];
  const { differences } = compared(features, 4, Uint32Array.of(0, 1));
  expect(differences).toHaveLength(1);
  expect(differences[0]).toMatchObject({ chosen: 4, rest: 2 });
  expect(differences[0].field.name).toBe("some");
});

test("of very many points a sample is read, and the answer is nearly the same", () => {
  const n = 1_000_000;
  const values = Float32Array.from({ length: n }, (_, i) => (i * 7919) % 1000);
  const one = feature({ name: "f", high: 999, values });
  const features = Array.from({ length: 16 }, () => one);
  const selection = Uint32Array.from({ length: n / 4 }, (_, k) => k);
  const quick = compared(features, n, selection);
  const exact = compared([one], n, selection);
  expect(quick.sampled).toBe(true);
  expect(exact.sampled).toBe(false);
  expect(quick.differences[0].chosen).toBeCloseTo(exact.differences[0].chosen, -1);
  expect(quick.differences[0].size).toBeCloseTo(exact.differences[0].size, 1);
});
