import { expect, test } from "vitest";
import { contributionsOf } from "../../src/scene/contributions";
import { nearestClasses } from "../../src/scene/nearest_classes";
import type { SceneModel } from "../../src/scene/scene";
import { changeUnit } from "../../src/scene/words/units";
import { madeScene } from "../made_scene";

const scene = madeScene();
const model = scene.model as SceneModel;

function sum(values: ArrayLike<number> | null): number {
  return Array.from(values ?? []).reduce((a, b) => a + b, 0);
}

test("contributions add up to the lead in squared distance", () => {
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

test("a change is in the unit that the scene tells", () => {
  const told = { ...model, unit: "standard_deviation" as const };
  expect(changeUnit(told)).toBe("in standard deviations");
  expect(changeUnit({ ...model, unit: "data" })).toBe("in units of the data");
  const older = { ...model, unit: undefined };
  expect(changeUnit(older)).toBe("in the units that the model sees");
});
