import { expect, test } from "vitest";
import type { Point } from "../../src/geometry/plane";
import type { Metric, SceneModel } from "../../src/scene/scene";
import { borderPlace, objectLayout } from "../../src/stages/object_layout";
import fixture from "../fixtures/object_layouts.json";
import { madeScene, tensor } from "../made_scene";

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

const scene = madeScene({ d: 2 });
const model = { ...(scene.model as SceneModel), squared: false };
const W = model.prototypes.values.data;
const CHANGE = [0.3, -0.4];

/** All prototypes around object 4, drawn as they are: of two features, a plane shows all. */
const x = scene.features.map(({ values }) => values[4]);
const around = [0, 1, 2].map((prototype) => ({
  prototype,
  place: [W[2 * prototype] - x[0], W[2 * prototype + 1] - x[1]] as Point,
}));

test("in a picture that is exact, the border point is exactly where it belongs", () => {
  const place = borderPlace({ ...scene, model }, model, 4, CHANGE, around);
  expect(place?.[0]).toBeCloseTo(CHANGE[0], 4);
  expect(place?.[1]).toBeCloseTo(CHANGE[1], 4);
});

test("its radius is the length of the change, as the model measures", () => {
  const metric: Metric = {
    kind: "factor",
    factors: tensor(Float64Array.of(1, 2, 0, 3), 2, 2),
  };
  const length = (0.3 - 0.8) ** 2 + 1.2 ** 2;
  const radius = (own: SceneModel) =>
    Math.hypot(...(borderPlace(scene, own, 4, CHANGE, around) as Point));
  expect(radius({ ...model, metric })).toBeCloseTo(Math.sqrt(length), 6);
  expect(radius({ ...model, metric, squared: true })).toBeCloseTo(length, 6);
});

test("of all directions it has the one that shows the distances best", () => {
  const far = around.map(({ prototype, place }, k) => ({
    prototype,
    place: [place[0] + k, place[1] - 2 * k] as Point,
  }));
  const found = borderPlace(scene, model, 4, CHANGE, far) as Point;
  const stress = ([a, b]: Point) =>
    far.reduce((sum, { prototype, place }) => {
      const wanted = Math.hypot(
        x[0] + CHANGE[0] - W[2 * prototype],
        x[1] + CHANGE[1] - W[2 * prototype + 1],
      );
      return sum + (Math.hypot(a - place[0], b - place[1]) - wanted) ** 2 / wanted;
    }, 0);
  for (let k = 0; k < 3000; k++) {
    const angle = (2 * Math.PI * k) / 3000;
    const other: Point = [0.5 * Math.cos(angle), 0.5 * Math.sin(angle)];
    expect(stress(found)).toBeLessThanOrEqual(stress(other) + 1e-9);
  }
});

test("without a metric, or all features, it has no place", () => {
  expect(borderPlace(scene, { ...model, metric: null }, 4, CHANGE, around)).toBeNull();
  const part = { ...scene, n_features: 3 };
  expect(borderPlace(part, model, 4, CHANGE, around)).toBeNull();
});
