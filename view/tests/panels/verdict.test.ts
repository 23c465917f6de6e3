import { expect, test, vi } from "vitest";
import { LightsBar, poorAccuracy, WarningStrip } from "../../src/panels/verdict";
import type { Regions, Scene } from "../../src/scene/scene";
import { Store } from "../../src/state";
import { bareScene, madeScene, tensor } from "../made_scene";
import { click, mounted } from "../mounted";

const NONE = 255;

/** Ten points or so with these classes, predicted to be those. */
function judged(labels: number[], predictions: number[]): Scene {
  const scene = madeScene({ n: labels.length, nClasses: 2 });
  return {
    ...scene,
    classes: ["a", "b"],
    labels: tensor(Uint8Array.from(labels)),
    predictions: tensor(Uint8Array.from(predictions)),
  };
}

const half = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1];

/** The same where only the first points were held out. */
function heldOut(labels: number[], predictions: number[], n: number): Scene {
  const held_out = tensor(Uint8Array.from(labels, (_, i) => (i < n ? 1 : 0)));
  return { ...judged(labels, predictions), held_out };
}

test("a good classifier needs no warning", () => {
  expect(poorAccuracy(judged(half, [0, 0, 0, 0, 0, 1, 1, 1, 1, 0]))).toBeNull();
  expect(poorAccuracy(judged(half, half))).toBeNull();
});

test("where some points are held out, these alone count", () => {
  const labels = [0, 1, 0, 1, ...half];
  const scene = heldOut(labels, [1, 0, 1, 0, ...half], 4);
  expect(poorAccuracy(scene)).toContain("0% of 4 held-out points");
});

test("one that has learned nothing is no better than always predicting the same", () => {
  const predictions = half.map(() => 1);
  expect(poorAccuracy(heldOut(half, predictions, 10))).toBe(
    "The classifier is right for 50% of 10 held-out points. " +
      "This is no better than a classifier that always predicts the same class.",
  );
});

test("one that is hardly better is compared with chance", () => {
  const labels = Array.from({ length: 100 }, (_, i) => i % 2);
  const predictions = labels.map((label, i) => (i < 54 ? label : 1 - label));
  expect(poorAccuracy(judged(labels, predictions))).toContain(
    "54% of the points, some of which may be its training data. " +
      "A classifier that always predicts the same class is right for 50% of them.",
  );
});

test("a large class makes a high share no merit", () => {
  const labels = Array.from({ length: 100 }, (_, i) => (i < 95 ? 0 : 1));
  const predictions = labels.map(() => 0);
  expect(poorAccuracy(heldOut(labels, predictions, 100))).toContain(
    "50% of 100 held-out points (all classes weighted equally). This is no better",
  );
});

test("points without a class do not count", () => {
  expect(poorAccuracy(judged([NONE, NONE, 0, 1], [0, 0, 0, 1]))).toBeNull();
  expect(poorAccuracy(judged([NONE, NONE], [0, 1]))).toBeNull();
  expect(poorAccuracy(bareScene())).toBeNull();
});

const regions: Regions = {
  box: [0, 0, 1, 1],
  labels: tensor(Uint8Array.of(0), 1, 1),
  certainty: tensor(Uint8Array.of(0), 1, 1),
  support: tensor(Uint8Array.of(1), 1, 1),
  agreement: 1,
  share_far: 0,
  words: "",
  contradicts: null,
  by: "",
  accuracy: null,
};

test("the strip says it where regions are shown", () => {
  const scene = judged(
    half,
    half.map(() => 1),
  );
  const maps = [{ ...scene.maps[0], regions }, scene.maps[0]];
  const { el, store } = mounted(WarningStrip, { ...scene, maps });
  expect(el.querySelector(".ls-poor")?.textContent).toContain("no better than");
  store.set({ regions: false });
  expect(el.textContent).not.toContain("classifier is right");
  store.set({ regions: true, map: 1 });
  expect(el.textContent).not.toContain("classifier is right");
});

test("where unseen points were judged, the strip speaks of no seen ones", () => {
  const judged_right = tensor(Float32Array.from(half, () => 0.5));
  const strip = (scene: Scene) => {
    const maps = [{ ...scene.maps[0], regions, judged_right }];
    return mounted(WarningStrip, { ...scene, maps }).el.textContent;
  };
  const wrong = half.map((label) => 1 - label);
  expect(strip(judged(half, wrong))).not.toContain("classifier is right");
  expect(strip(heldOut(half, wrong, 6))).toContain("6 held-out points");
});

test("points in a region of another answer are chosen with one click", () => {
  const scene = judged(half, half);
  const contradicts = tensor(Uint8Array.from(half, (_, i) => (i % 4 === 1 ? 1 : 0)));
  const maps = [{ ...scene.maps[0], regions: { ...regions, contradicts } }];
  const { el, store } = mounted(WarningStrip, { ...scene, maps });
  expect(el.textContent).toContain(
    "3 points lie outside the regions of their predicted classes",
  );
  click(el, "[data-act=contradictions]");
  expect(Array.from(store.state.selection)).toEqual([1, 5, 9]);
  store.set({ regions: false });
  expect(el.querySelector("[data-act]")).toBeNull();
});

test("what to know of the verdict stands below the picture", () => {
  const { el } = mounted(WarningStrip, madeScene());
  expect(el.textContent).toContain("copies stay together");
});

test("without a warning there is nothing below the picture", () => {
  const scene = bareScene();
  expect(mounted(WarningStrip, scene).el.childNodes).toHaveLength(0);
});

test("a map that is nearly a line says so beside the map", () => {
  const scene = madeScene();
  const warnings = [
    "This map is essentially a line: only the horizontal position matters.",
  ];
  const flat = { ...scene.maps[0], warnings };
  const { el, store } = mounted(LightsBar, { ...scene, maps: [flat, scene.maps[0]] });
  const stretch = el.querySelector<HTMLElement>(".ls-stretch");
  expect(stretch?.textContent).toBe(warnings[0]);
  store.set({ map: 1 });
  expect(stretch?.hidden).toBe(true);
});

const states = (el: HTMLElement) =>
  Array.from(el.querySelectorAll("li"), (light) => light.dataset.light);

test("the lights are those of the shown map, and are gone where there is no map", () => {
  const scene = madeScene();
  const other = { ...scene.maps[0], honesty: null };
  const { el, store } = mounted(LightsBar, { ...scene, maps: [scene.maps[0], other] });
  expect(states(el)).toEqual(["good", "fair"]);
  store.set({ map: 1 });
  expect(states(el)).toEqual(["none", "none"]);
  store.set({ level: "classes" });
  expect(el.hidden).toBe(true);
});

test("a button measures what was not tested, where somebody can", () => {
  const el = document.createElement("div");
  const measure = vi.fn();
  const context = { scene: bareScene(), store: new Store(), asker: null, measure };
  const bar = new LightsBar(el, context);
  const button = el.querySelector("button") as HTMLButtonElement;
  expect(button.hidden).toBe(true);
  bar.judging({ isPossible: true, words: "" });
  expect([button.hidden, button.textContent]).toEqual([false, "Measure"]);
  button.click();
  expect(measure).toHaveBeenCalledOnce();
  bar.judging({ isPossible: false, words: "Fit 3 of 8" });
  expect(button.hidden).toBe(true);
  expect(el.querySelector("[role=status]")?.textContent).toBe("Fit 3 of 8");
});

test("a page without Python has no button", () => {
  const { el, panel } = mounted(LightsBar, bareScene());
  (panel as LightsBar).judging({ isPossible: true, words: "" });
  expect(el.querySelector("button")?.hidden).toBe(true);
});
