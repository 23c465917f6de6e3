import { expect, test } from "vitest";
import { ObjectPanel } from "../../src/panels/object_panel";
import { PrototypesPanel } from "../../src/panels/prototypes_panel";
import { SelectionPanel } from "../../src/panels/selection_panel";
import type { SceneModel } from "../../src/scene/scene";
import { ClassesStage } from "../../src/stages/classes_stage";
import { columnedScene } from "../columned";
import { madeScene } from "../made_scene";
import { click, mounted, values } from "../mounted";

const scene = madeScene({ perClass: 2, d: 3 });
const model = scene.model as SceneModel;
const TAB = { tab: "prototypes" as const };
const BARS = "[aria-label='Features side by side'] rect";
const told = (el: HTMLElement) =>
  Array.from(el.querySelectorAll("rect[data-category]"), (rect) =>
    rect.getAttribute("aria-label"),
  );

test("two objects have their bars side by side, without a prototype", () => {
  const { el, store } = mounted(PrototypesPanel, scene, { ...TAB, compared: [4, 9] });
  click(el, "[data-key='Values:raw']");
  const wanted = [2, 1, 0].flatMap((j) =>
    [4, 9].map((i) => scene.features[j].values[i]),
  );
  expect(values(el, BARS)).toEqual(wanted);
  click(el, "[data-compared='4']");
  expect(store.state.compared).toEqual([9]);
  expect(values(el, BARS)).toHaveLength(3);
});

test("distances of all pairs are there, each once", () => {
  const { el } = mounted(PrototypesPanel, scene, {
    ...TAB,
    prototypes: [0, 3],
    compared: [4, 9],
  });
  const cells = Array.from(el.querySelectorAll("[data-pair]"), (cell) =>
    cell.getAttribute("data-pair"),
  );
  expect(cells).toEqual(["1,0", "2,0", "2,1", "3,0", "3,1", "3,2"]);
  const { data } = model.prototypes.distances;
  expect(values(el, "[data-pair='1,0']")[0]).toBeCloseTo(data[3], 10);
  expect(el.textContent).toContain("Measured by the model: squared distance");
});

test("terms of the first two add up to the distance between them", () => {
  const { el } = mounted(PrototypesPanel, scene, { ...TAB, compared: [4, 9] });
  click(el, "[data-key='Values:contribution']");
  const sum = values(el, BARS).reduce((a, b) => a + b, 0);
  expect(sum).toBeCloseTo(values(el, "[data-pair='1,0']")[0], 8);
});

test("objects are added on their page, from some chosen points, and by Shift", () => {
  const page = mounted(ObjectPanel, scene, { tab: "object", object: 5 });
  click(page.el, "[data-key=compare]");
  expect(page.store.state).toMatchObject({ compared: [5], tab: "prototypes" });
  const chosen = mounted(SelectionPanel, scene, {
    tab: "selection",
    selection: Uint32Array.of(3, 8),
  });
  click(chosen.el, "[data-key=compare]");
  expect(chosen.store.state).toMatchObject({ compared: [3, 8], tab: "prototypes" });
  const stage = mounted(ClassesStage, scene);
  stage.el
    .querySelector("[data-object='7']")
    ?.dispatchEvent(new MouseEvent("click", { shiftKey: true }));
  expect(stage.store.state).toMatchObject({ compared: [7], level: "data" });
});

test("the object that is open can be added to those that are compared", () => {
  const { el, store } = mounted(PrototypesPanel, scene, {
    ...TAB,
    compared: [4],
    object: 9,
  });
  click(el, "[data-key=compare-open]");
  expect(store.state.compared).toEqual([4, 9]);
  expect(el.querySelector("[data-key=compare-open]")).toBeNull();
});

test("a column of categories is told in words, its features are bars when it is opened", () => {
  const columned = columnedScene();
  const { el } = mounted(PrototypesPanel, columned, { ...TAB, compared: [6, 7] });
  expect(told(el)).toContain("colour, object 6: blue");
  expect(told(el)).toContain("colour, object 7: green");
  expect(told(el)).toContain("wood, object 7: soft");
  const { el: other } = mounted(PrototypesPanel, columned, { ...TAB, compared: [5] });
  expect(told(other)).toContain("colour, object 5: missing");
  const before = values(el, `${BARS}[data-value]`).length;
  click(el, "[data-key='open:colour']");
  expect(values(el, `${BARS}[data-value]`)).toHaveLength(before + 6);
  click(el, "[data-key='Values:contribution']");
  expect(told(el)).toEqual([]);
});

test("a prototype between categories is told the nearest one", () => {
  const columned = columnedScene();
  const own = columned.model as SceneModel;
  const data = own.prototypes.values.data.slice();
  data.set([0.2, 0.7, 0.1, 1], 1);
  const prototypes = { ...own.prototypes, values: { ...own.prototypes.values, data } };
  const { el } = mounted(
    PrototypesPanel,
    { ...columned, model: { ...own, prototypes } },
    { ...TAB, prototypes: [0] },
  );
  expect(told(el)).toContain("colour, <b>bold</b>: ≈ green");
  expect(told(el)).toContain("wood, <b>bold</b>: soft");
  expect(el.textContent).toContain("≈ marks the nearest category");
});

test("without a model, objects are compared all the same", () => {
  const { el } = mounted(
    PrototypesPanel,
    { ...scene, model: null },
    { ...TAB, compared: [4, 9] },
  );
  expect(values(el, BARS)).toHaveLength(6);
  expect(el.querySelector("[data-key='Values:contribution']")).toBeNull();
});
