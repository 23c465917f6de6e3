import { expect, test, vi } from "vitest";
import type { Explanation } from "../src/host";
import { nearestClasses } from "../src/nearest_classes";
import { ObjectPanel } from "../src/panels/object";
import type { SceneModel } from "../src/scene";
import { bareScene, MARKUP, madeScene } from "./made_scene";
import { click, mounted, values } from "./mounted";

const scene = madeScene({ d: 12 });
const model = scene.model as SceneModel;
const shown = (object: number) => ({ object, tab: "object" as const });

test("no object chosen: words that say how to choose one", () => {
  const { el } = mounted(ObjectPanel, scene, { tab: "object" });
  expect(el.textContent).toContain("No object chosen");
});

test("id, class, prediction and confidence are told, as text", () => {
  const { el } = mounted(ObjectPanel, scene, shown(0));
  expect(el.querySelector("h2")?.textContent).toBe(MARKUP);
  expect(el.querySelector("[data-fact=class]")?.textContent).toBe("<b>bold</b>");
  expect(el.querySelector("[data-fact=confidence]")?.textContent).toBe("75 %");
  expect(el.querySelector("img, b")).toBeNull();
});

test("without a model the values are there at once", () => {
  const { el } = mounted(ObjectPanel, { ...scene, model: null }, shown(0));
  expect(el.querySelector("h2")?.textContent).toBe(MARKUP);
  const all = el.querySelector<HTMLDetailsElement>("details");
  expect(all?.open).toBe(true);
  expect(all?.querySelectorAll("tbody tr")).toHaveLength(12);
});

test("the classes stand by their exact distances, the nearest first", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  const distances = Array.from(model.class_distances?.data.subarray(12, 15) ?? []);
  expect(values(el, "td[data-class]")).toEqual(distances.sort((a, b) => a - b));
});

test("a class without prototypes is not among the distances", () => {
  const distances = model.class_distances?.data.slice() ?? new Float32Array();
  distances[0] = Number.POSITIVE_INFINITY;
  const class_distances = { data: distances, shape: [60, 3] };
  const found = nearestClasses({ ...model, class_distances }, 0);
  expect(found.map(({ index }) => index)).not.toContain(0);
});

test("the ten largest contributions are bars with signs, more on request", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  const found = values(el, "[aria-label='Contributions of features'] rect");
  expect(found).toHaveLength(10);
  expect(found.slice(0, 2)).toEqual([9.5, 8.5]);
  expect(el.textContent).toContain("Together 48");
  click(el, "[data-key=features]");
  expect(values(el, "[aria-label='Contributions of features'] rect")).toHaveLength(12);
  expect(values(el, "[aria-label='Contributions of features'] rect")).toContain(-1.5);
});

test("the smallest change is told from value to value, with class and length", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  expect(el.textContent).toContain("A change of length 0.6 makes it class 2.");
  const to = values(el, "[aria-label^='The smallest change'] td[data-value]");
  const changes = model.explanations?.changes.data ?? [];
  const wanted = [0, 1].map((j) => scene.features[j].values[4] + changes[12 + j]);
  expect(to.sort()).toEqual(wanted.sort());
});

test("the real objects behind the nearest prototype open when clicked", () => {
  const { el, store } = mounted(ObjectPanel, scene, shown(4));
  const medoid = model.prototypes.medoids.data[model.member_of.data[4]];
  click(el, `.ls-card[data-object='${medoid}']`);
  expect(store.state.object).toBe(medoid);
});

test("an object that nobody explained: it is said", () => {
  const { el } = mounted(ObjectPanel, scene, shown(5));
  expect(el.textContent).toContain("Not computed for this object in this page.");
});

test("Python is asked once, and its answer shown", async () => {
  let answer: (explanation: Explanation) => void = () => {};
  const explain = vi.fn(
    () => new Promise<Explanation>((resolve) => (answer = resolve)),
  );
  const { el, store } = mounted(ObjectPanel, scene, shown(5), { explain });
  expect(el.querySelector("[role=status]")?.textContent).toContain("Asking");
  answer({
    contributions: Array.from({ length: 12 }, (_, j) => j),
    change: Array.from({ length: 12 }, () => 0.25),
    changeDistance: 0.125,
    changeClass: 1,
  });
  await vi.waitFor(() =>
    expect(el.textContent).toContain("length 0.125 makes it class 1"),
  );
  store.set({ object: 4 });
  store.set({ object: 5 });
  expect(explain).toHaveBeenCalledTimes(1);
});

test("a refusal is shown in its own words", async () => {
  const explain = () => Promise.reject(new Error("The model is busy."));
  const { el } = mounted(ObjectPanel, scene, shown(5), { explain });
  await vi.waitFor(() =>
    expect(el.querySelector("[role=note]")?.textContent).toContain(
      "The model is busy.",
    ),
  );
});

test("of 40 classes the nearest are listed, the others on request", () => {
  const { el } = mounted(ObjectPanel, madeScene({ nClasses: 40, n: 80 }), shown(4));
  expect(el.querySelectorAll("td[data-class]")).toHaveLength(8);
  click(el, "[data-key=classes]");
  expect(el.querySelectorAll("td[data-class]")).toHaveLength(40);
});

test("a scene without model and labels shows what it has", () => {
  const { el } = mounted(ObjectPanel, bareScene(), shown(3));
  expect(el.querySelector("h2")?.textContent).toBe("row 3");
  expect(el.querySelector(".ls-section")).toBeNull();
});
