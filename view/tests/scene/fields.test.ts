import { expect, test } from "vitest";
import {
  asCategories,
  categoryWith,
  fieldsOf,
  fieldValue,
  seenFields,
  sumOf,
} from "../../src/scene/fields";
import { columnedScene } from "../columned";
import { column, madeScene, tensor } from "../made_scene";

const scene = columnedScene();
const fields = fieldsOf(scene);
const named = (name: string) => {
  const field = fields.find((one) => one.name === name);
  expect(field).toBeDefined();
  return field as (typeof fields)[number];
};

test("a scene without columns has its features as fields", () => {
  const made = madeScene();
  expect(fieldsOf(made).map(({ name }) => name)).toEqual(
    made.features.map(({ name }) => name),
  );
});

test("features of one column are one field, in its place", () => {
  expect(fields.slice(1).map(({ name }) => name)).toEqual([
    "colour",
    "wood",
    "batch",
    "dose",
    "link",
    "note",
  ]);
  expect(seenFields(scene).map(({ features }) => features)).toEqual([
    [0],
    [1, 2, 3],
    [4],
  ]);
});

test("a column of vectors is seen by the model, and has no value to show", () => {
  const made = madeScene();
  const vectors = column({ name: "pixels", features: tensor(Uint32Array.of(0, 1)) });
  const withVectors = { ...made, columns: [vectors] };
  const names = made.features.slice(2).map(({ name }) => name);
  expect(seenFields(withVectors).map(({ name }) => name)).toEqual(["pixels", ...names]);
  expect(fieldsOf(withVectors).map(({ name }) => name)).toEqual(names);
});

test("a column has the sum of its features", () => {
  expect(sumOf(named("colour"), [9, 1, 2, 3, 9])).toBe(6);
});

test("values are said in words", () => {
  expect(fieldValue(named("colour"), 4).words).toBe("green");
  expect(fieldValue(named("colour"), 5).words).toBe("missing");
  expect(fieldValue(named("dose"), 4).words).toBe("4");
  expect(fieldValue(named("note"), 7).words).toBe("Damaged");
});

test("the category of changed features is known, if they are one", () => {
  const colour = asCategories(named("colour").column);
  expect(colour && categoryWith(colour, [0, 0, 1])).toBe(2);
  expect(colour && categoryWith(colour, [0, 0.4, 0.6])).toBe(-1);
});
