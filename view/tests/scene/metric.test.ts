import { expect, test } from "vitest";
import { distanceTerms } from "../../src/scene/metric";
import type { Metric } from "../../src/scene/scene";

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
