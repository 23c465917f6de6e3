import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { borderPath } from "../../src/map/marks/arrow_marks";
import { Projection } from "../../src/map/projection";
import { ObjectPanel } from "../../src/panels/object_panel";
import type { Scene } from "../../src/scene/scene";
import { MapBorder } from "../../src/stages/data_marks";
import { ObjectStage } from "../../src/stages/object_stage";
import { Store } from "../../src/state";
import { madeScene, tensor } from "../made_scene";
import { mounted } from "../mounted";

const made = madeScene();
// Objects 0, 4 and 7 are explained; of the last one no change is known.
const borders = tensor(Float32Array.of(1, 1, 2, 3, Number.NaN, Number.NaN), 3, 2);
const scene: Scene = { ...made, maps: [{ ...made.maps[0], borders }] };
const projection = new Projection(
  { x: 0, y: 0, scale: 50 },
  { width: 400, height: 400 },
  null,
);

// People who asked for less motion see everything at once.
beforeEach(() => vi.stubGlobal("matchMedia", () => ({ matches: true })));
afterEach(() => vi.unstubAllGlobals());

test("the mark is an arrow with a piece of border across its end", () => {
  const path = borderPath([
    [0, 0],
    [100, 0],
  ]);
  expect(path.startsWith("M0.0 0.0L100.0 0.0")).toBe(true);
  expect(path.endsWith("M100.0 -9.0L100.0 9.0")).toBe(true);
  expect(
    borderPath([
      [5, 5],
      [5, 5],
    ]),
  ).toBe("");
});

test("on the map it leads from the object that is open to the place of the scene", () => {
  const store = new Store({ object: 4, tab: "object" });
  const border = new MapBorder({ scene, store, asker: null });
  const mark = border.el.querySelector<SVGGElement>(".ls-border");
  const positions = scene.maps[0].positions.data;
  const draw = () => border.draw(projection, positions, false);
  draw();
  expect(mark?.style.display).toBe("");
  expect(mark?.getAttribute("aria-label")).toContain(
    "The class on the other side is class 2",
  );
  const [x, y] = projection.screen([2, 3]).map((value) => value.toFixed(1));
  expect(mark?.querySelector("path")?.getAttribute("d")).toContain(`L${x} ${y}`);
  for (const change of [{ object: 7 }, { object: 1 }, { tab: "summary" as const }]) {
    store.set({ object: 4, tab: "object" });
    store.set(change);
    draw();
    expect(mark?.style.display).toBe("none");
  }
});

test("the page of the object says where it is on the map, or why it is not", () => {
  const told = (given: Scene, object: number) =>
    mounted(ObjectPanel, given, { object, tab: "object" }).el.textContent;
  expect(told(scene, 4)).toContain("The arrow on the map leads to the changed point");
  expect(told(made, 4)).toContain("this map cannot place new points");
});

test("at the level of the object it is drawn beside the prototypes, in the disc as well", () => {
  const { el, store } = mounted(ObjectStage, scene, { object: 4 });
  const d = () => el.querySelector(".ls-border-line")?.getAttribute("d");
  const flat = d();
  expect(flat).toMatch(/^M.*L/);
  expect(el.querySelector(".ls-border")?.getAttribute("aria-label")).toContain(
    "class 2",
  );
  store.set({ disc: { focus: [0, 0], strength: 0.1 } });
  expect(d()).not.toBe(flat);
  store.set({ disc: null, object: 1 });
  expect(el.querySelector<SVGGElement>(".ls-border")?.style.display).toBe("none");
});

test("Python is asked once, whoever wants to know", async () => {
  let asked = 0;
  const asker = {
    explain: async () => {
      asked += 1;
      return {
        contributions: [],
        change: scene.features.map(() => 0.5),
        change_distance: 1,
        change_class: 1,
      };
    },
  };
  const stage = mounted(ObjectStage, scene, { object: 1 }, asker);
  mounted(ObjectPanel, scene, { object: 1, tab: "object" }, asker);
  await Promise.resolve();
  await Promise.resolve();
  expect(asked).toBe(1);
  expect(stage.el.querySelector<SVGGElement>(".ls-border")?.style.display).toBe("");
});
