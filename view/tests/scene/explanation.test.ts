import { expect, test } from "vitest";
import { changesOf, storedExplanation } from "../../src/scene/explanation";
import type { SceneModel } from "../../src/scene/scene";
import { madeScene } from "../made_scene";

const model = madeScene({ d: 2 }).model as SceneModel;

test("stored explanations are found, others are not there", () => {
  const found = storedExplanation(model, 4);
  expect(Array.from(found?.contributions ?? [])).toEqual([-1.5, -0.5]);
  expect(Array.from(found?.change ?? [])).toEqual([2.5, 3.5]);
  expect(found?.change_class).toBe(2);
  for (const object of [1, 5, 8]) {
    expect(storedExplanation(model, object)).toBeNull();
  }
  expect(storedExplanation({ ...model, explanations: null }, 4)).toBeNull();
});

test("changes go from and to units of the data, the largest for its range first", () => {
  expect(changesOf([1, -3, 1e-9], [10, 20, 30], [2, 100, 1])).toEqual([
    { feature: 0, from: 10, to: 11 },
    { feature: 1, from: 20, to: 17 },
  ]);
});
