import { expect, test } from "vitest";
import type { Point } from "../../src/map/geometry";
import { borderPlace } from "../../src/object/border";
import type { Metric, SceneModel } from "../../src/scene/scene";
import { madeScene, tensor } from "../made_scene";

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
