import { expect, test, vi } from "vitest";
import { link } from "../../src/app/compare_page";
import { FrozenModel } from "../../src/hosts/frozen_model";

const chosen = (...points: number[]) => new DataView(Uint32Array.from(points).buffer);

test("what is chosen in one model is chosen in all, and this comes to rest", () => {
  const models = [new FrozenModel({}), new FrozenModel({}), new FrozenModel({})];
  link(models);
  const told = vi.fn();
  models[2]?.on("change:selection", told);
  const rows = chosen(1, 5);
  models[1]?.set("selection", rows);
  expect(models.map((model) => model.get("selection"))).toEqual([rows, rows, rows]);
  expect(told).toHaveBeenCalledOnce();
});

test("levels and maps stay each model's own", () => {
  const [one, other] = [new FrozenModel({}), new FrozenModel({})];
  link([one, other]);
  one.set("level", "object");
  one.set("map", 1);
  one.set("theme", "dark");
  expect(other.get("level")).toBe("data");
  expect(other.get("map")).toBe(0);
  expect(other.get("theme")).toBe("dark");
});

test("of different tables only the theme is linked", () => {
  const [one, other] = [new FrozenModel({}), new FrozenModel({})];
  link([one, other], ["theme"]);
  one.set("object", 3);
  one.set("theme", "dark");
  expect(other.get("object")).toBe(-1);
  expect(other.get("theme")).toBe("dark");
});
