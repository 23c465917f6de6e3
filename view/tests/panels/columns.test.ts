import { expect, test } from "vitest";
import { LegendPanel } from "../../src/panels/legend";
import { ObjectPanel } from "../../src/panels/object_panel";
import { PrototypesPanel } from "../../src/panels/prototypes_panel";
import { SelectionPanel } from "../../src/panels/selection_panel";
import type { Explanations, Scene, SceneModel } from "../../src/scene/scene";
import { columnedScene } from "../columned";
import { tensor } from "../made_scene";
import { click, mounted, values } from "../mounted";

const scene = columnedScene();
const model = scene.model as SceneModel;

/** The scene with an explanation of object 3: these contributions and changes. */
function explained(contributions: number[], changes: number[]): Scene {
  const explanations: Explanations = {
    objects: tensor(Uint32Array.of(3)),
    contributions: tensor(Float32Array.from(contributions), 1, 5),
    changes: tensor(Float32Array.from(changes), 1, 5),
    change_distances: tensor(Float32Array.of(1.5)),
    change_classes: tensor(Uint8Array.of(1)),
  };
  return { ...scene, model: { ...model, explanations } };
}

const object = { object: 3, tab: "object" as const };

test("contributions of a column are one bar, with the category of the object", () => {
  const { el } = mounted(
    ObjectPanel,
    explained([1, 2, 3, -1, 0.5], [0, 0, 0, 0, 0]),
    object,
  );
  const bars = el.querySelectorAll("[aria-label='Contributions of features'] g");
  expect(Array.from(bars, (bar) => bar.getAttribute("data-feature"))).toEqual([
    "colour = blue",
    scene.features[0].name,
    "wood = soft",
  ]);
  expect(values(el, "[aria-label='Contributions of features'] rect")).toEqual([
    4, 1, 0.5,
  ]);
});

test("a category changes into another one, never into a number", () => {
  const { el } = mounted(
    ObjectPanel,
    explained([1, 0, 0, 0, 0], [0, -1, 0, 1, 0]),
    object,
  );
  const cells = el.querySelectorAll("[aria-label^='The smallest change'] td");
  expect(Array.from(cells, (cell) => cell.textContent)).toEqual([
    "colour",
    "blue",
    "red",
  ]);
});

test("what is between categories says so", () => {
  const { el } = mounted(
    ObjectPanel,
    explained([1, 0, 0, 0, 0], [0, -0.4, 0, 0.389, 0]),
    object,
  );
  const to = el.querySelector("[aria-label^='The smallest change'] td:last-child");
  expect(to?.textContent).toBe("between categories");
});

test("all values are told by column, and addresses of pages lead there", () => {
  const { el } = mounted(ObjectPanel, scene, object);
  const cell = (name: string) => el.querySelector(`[data-column='${name}']`);
  expect(cell("colour")?.textContent).toBe("blue");
  expect(cell("batch")?.textContent).toBe("a");
  const link = cell("link")?.querySelector("a");
  expect(link?.getAttribute("href")).toBe("https://trees.example/3");
  expect(link?.getAttribute("target")).toBe("_blank");
  expect(link?.getAttribute("rel")).toContain("noopener");
});

test("an address that is none of a page stays text", () => {
  const { el } = mounted(ObjectPanel, scene, { ...object, object: 1 });
  expect(el.querySelector("[data-column='link']")?.textContent).toBe(
    "javascript:alert(1)",
  );
  expect(el.querySelector("[data-column='link'] a")).toBeNull();
});

test("chosen points are told apart by the share of a category", () => {
  const selection = Uint32Array.from({ length: 10 }, (_, i) => i);
  const { el } = mounted(SelectionPanel, scene, { selection, tab: "selection" });
  const item = el.querySelector("[data-feature='batch'] .ls-meaning");
  expect(item?.textContent).toContain("a: 100% here, 0% in the others");
  expect(el.querySelector("[data-feature='colour=red']")).toBeNull();
  const heads = el.querySelectorAll(".ls-rows th");
  expect(Array.from(heads, (head) => head.textContent)).toContain("colour");
});

test("relevances are summed per column, and its bar opens to its categories", () => {
  const relevances = tensor(Float64Array.of(0.3, 0.2, 0.1, 0.25, 0.15));
  const { el } = mounted(
    PrototypesPanel,
    { ...scene, model: { ...model, relevances } },
    { tab: "prototypes" },
  );
  const chart = "[aria-label='Relevance of columns']";
  const names = () =>
    Array.from(el.querySelectorAll(`${chart} g`), (g) =>
      g.getAttribute("data-feature"),
    );
  expect(names()).toEqual(["colour", scene.features[0].name, "wood"]);
  expect(values(el, `${chart} rect`)[0]).toBeCloseTo(0.55, 12);
  const name = el.querySelector(`${chart} [data-key='open:colour']`);
  expect(name?.getAttribute("aria-expanded")).toBe("false");
  name?.dispatchEvent(new MouseEvent("click"));
  expect(names().slice(0, 4)).toEqual(["colour", "red", "blue", "green"]);
});

test("the legend counts the categories of a column, and hides their points", () => {
  const { el, store } = mounted(LegendPanel, scene, { colorBy: "column:colour" });
  const counts = el.querySelectorAll("[data-category] .ls-count");
  expect(Array.from(counts, (one) => one.textContent)).toEqual(["20", "20", "19", "1"]);
  click(el, "[data-category='2']");
  expect(store.state.hiddenCategories.get("colour")).toEqual(new Set([2]));
  store.set({ colorBy: "class" });
  expect(el.textContent).toContain("colour: 1 category hidden");
  click(el, ".ls-categories .ls-link");
  expect(store.state.hiddenCategories.size).toBe(0);
});
