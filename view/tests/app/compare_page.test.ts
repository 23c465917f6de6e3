import { expect, test, vi } from "vitest";
import type { Run } from "../../src/app/api";
import { link, linkPointers } from "../../src/app/compare_page";
import { advice } from "../../src/app/run_figures";
import { FrozenModel } from "../../src/hosts/frozen_model";
import { Store } from "../../src/state";

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

test("what is pointed at in one view is marked in the others", () => {
  const stores = [new Store(), new Store(), new Store()];
  linkPointers(stores);
  stores[1]?.set({ hover: 4 });
  expect(stores.map((store) => store.state.hover)).toEqual([4, 4, 4]);
  stores[2]?.set({ hover: null });
  expect(stores.map((store) => store.state.hover)).toEqual([null, null, null]);
});

function run(name: string, accuracy: number | null): Run {
  return { name, result: { accuracy } } as unknown as Run;
}

test("first comes the run that is right for most new objects", () => {
  const { best, words } = advice([run("a", 0.8), run("b", 0.95), run("c", null)]);
  expect(best?.name).toBe("b");
  expect(words).toBe("b: 95 % of new objects are taken for their class (a 80 %).");
});

test("where nothing was measured, none is recommended", () => {
  expect(advice([run("a", null)]).best).toBeNull();
});
