import { expect, test } from "vitest";
import type { Run } from "../../src/app/api";
import { ofOneTable, together } from "../../src/app/compare_page";
import { advice } from "../../src/app/page_parts";
import { madeScene } from "../made_scene";

function run(name: string, accuracy: number | null): Run {
  return {
    name,
    table: "t",
    settings: { reading: { label: "kind" }, placed_on: null },
    method_title: "LDA",
    started: 10,
    ended: 12.5,
    result: { accuracy, lights: [] },
  } as unknown as Run;
}

const shown = (name: string, accuracy: number | null) => ({
  run: run(name, accuracy),
  scene: madeScene({}),
});

test("the maps of several runs are one scene, under the names of the runs", () => {
  const scene = together([shown("a", 0.8), shown("b", 0.95)]);
  expect(scene.maps.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(scene.model).toBeNull();
  expect(scene.comparison?.recommended).toBe("b");
  expect(scene.comparison?.rows[0]).toContain("80%");
  expect(scene.comparison?.rows[0]).toContain("3 s");
});

test("runs of other rows or classes get a view of their own", () => {
  const other = shown("c", null);
  const groups = ofOneTable([
    shown("a", 0.8),
    { ...other, run: { ...other.run, table: "u" } },
    shown("b", 0.95),
  ]);
  const names = groups.map((some) => some.map((one) => one.run.name));
  expect(names).toEqual([["a", "b"], ["c"]]);
});

test("first comes the run that is right for most new objects", () => {
  const { best, words } = advice([run("a", 0.8), run("b", 0.95), run("c", null)]);
  expect(best?.name).toBe("b");
  expect(words).toBe("b: 95% of held-out rows get the right class (a 80%).");
});

test("where nothing was measured, none is recommended", () => {
  expect(advice([run("a", null)]).best).toBeNull();
});
