import { expect, test } from "vitest";
import { angleStress, objectLayout } from "../../src/object/object_layout";
import fixture from "../fixtures/object_layouts.json";

test.each(fixture)(
  "the radii are exact, and the stress is not worse than Python's (%#)",
  ({ distances, between, power, stress }) => {
    const layout = objectLayout(distances, between, power);
    layout.places.forEach(([x, y], k) => {
      expect(Math.hypot(x, y)).toBeCloseTo(distances[k] ** power, 9);
    });
    // Among 20 prototypes there are many minima of nearly the same stress.
    const tolerance = distances.length < 20 ? 1e-4 : 0.03;
    expect(layout.stress).toBeLessThanOrEqual(stress * (1 + tolerance) + 1e-12);
  },
);

test("the slope of the stress agrees with finite differences", () => {
  const radii = Float64Array.of(1, 2, 0.5);
  const T = Float64Array.of(0, 1, 2, 1, 0, 0.7, 2, 0.7, 0);
  const stress = angleStress(radii, T);
  const angles = Float64Array.of(0.3, 1.9, -2);
  const { gradient } = stress(angles);
  angles.forEach((angle, k) => {
    const moved = (by: number) =>
      stress(angles.map((other, l) => (l === k ? angle + by : other))).value;
    expect(gradient[k]).toBeCloseTo((moved(1e-6) - moved(-1e-6)) / 2e-6, 7);
  });
});

test("the nearest prototype stands to the right, the next one above the axis", () => {
  const { places } = objectLayout([3, 4], [0, 5, 5, 0], 1);
  expect(places[0][0]).toBeCloseTo(3, 6);
  expect(places[0][1]).toBeCloseTo(0, 6);
  expect(places[1][0]).toBeCloseTo(0, 4);
  expect(places[1][1]).toBeCloseTo(4, 6);
});

test.each([
  { distances: [], between: [] },
  { distances: [2], between: [0] },
  { distances: [0, 0], between: [0, 0, 0, 0] },
])("few prototypes, or all at the object, are no trouble (%#)", (given) => {
  const layout = objectLayout(given.distances, given.between, 2);
  expect(layout.places).toHaveLength(given.distances.length);
  expect(Number.isFinite(layout.stress)).toBe(true);
  layout.places.forEach(([x, y], k) => {
    expect(Math.hypot(x, y)).toBeCloseTo(given.distances[k] ** 2, 12);
  });
});

test("the same distances give the same picture", () => {
  const { distances, between, power } = fixture[4];
  const first = objectLayout(distances, between, power);
  expect(objectLayout(distances, between, power)).toEqual(first);
});
