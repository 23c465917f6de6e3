import { expect, test } from "vitest";
import { VerdictStrip } from "../../src/panels/verdict_strip";
import { accuracyOf } from "../../src/scene/accuracy";
import type { Regions, Scene } from "../../src/scene/scene";
import { bareScene, madeScene, tensor } from "../made_scene";
import { mounted } from "../mounted";

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

function words(labels: number[], predictions: number[]): string | undefined {
  return accuracyOf(judged(labels, predictions))?.words;
}

test("a good classifier needs no comparison", () => {
  expect(words(half, [0, 0, 0, 0, 0, 1, 1, 1, 1, 0])).toBe(
    "The classifier is right for 90 % of the points.",
  );
  expect(words(half, half)).toBe("The classifier is right for all points.");
});

test("one that has learnt nothing is no better than always saying the same", () => {
  const found = accuracyOf(
    judged(
      half,
      half.map(() => 1),
    ),
  );
  expect(found).toEqual({
    words:
      "The classifier is right for 50 % of the points, no more than always saying ‘a’.",
    isPoor: true,
  });
});

test("one that is hardly better is compared with the largest class", () => {
  const labels = [...half, ...half, ...half].concat(1);
  const predictions = labels.map((label, i) => (i < 17 ? label : 1 - label));
  expect(words(labels, predictions)).toBe(
    "The classifier is right for 55 % of the points; " +
      "always saying ‘b’ would be right for 52 %.",
  );
});

test("a large class makes a high share no merit", () => {
  const labels = Array.from({ length: 100 }, (_, i) => (i < 95 ? 0 : 1));
  expect(
    words(
      labels,
      labels.map(() => 0),
    ),
  ).toContain("95 % of the points, no more");
});

test("while one is wrong, they are not all right", () => {
  const labels = Array.from({ length: 1000 }, (_, i) => i % 2);
  const predictions = labels.map((label, i) => (i === 0 ? 1 : label));
  expect(words(labels, predictions)).toContain("99 %");
});

test("points without a class do not count", () => {
  expect(words([NONE, NONE, 0, 1], [0, 0, 0, 1])).toContain("all points");
  expect(words([NONE, NONE], [0, 1])).toBeUndefined();
  expect(accuracyOf(bareScene())).toBeNull();
});

const regions: Regions = {
  box: [0, 0, 1, 1],
  labels: tensor(Uint8Array.of(0), 1, 1),
  certainty: tensor(Uint8Array.of(0), 1, 1),
  support: tensor(Uint8Array.of(1), 1, 1),
  agreement: 1,
  share_far: 0,
  words: "",
};

test("the strip says it where regions are shown", () => {
  const scene = judged(
    half,
    half.map(() => 1),
  );
  const maps = [{ ...scene.maps[0], regions }, scene.maps[0]];
  const { el, store } = mounted(VerdictStrip, { ...scene, maps });
  expect(el.querySelector(".ls-poor")?.textContent).toContain("no more than");
  store.set({ regions: false });
  expect(el.textContent).not.toContain("classifier is right");
  store.set({ regions: true, map: 1 });
  expect(el.textContent).not.toContain("classifier is right");
});
