import { expect, test } from "vitest";
import type { Progress } from "../../../src/app/api";
import { lossCurve, progressWords } from "../../../src/app/run/running";

const PROGRESS: Progress = {
  step: "fitting",
  words: "Fitting Sammon.",
  done: null,
  total: null,
  iteration: 0,
  loss: [],
  version: 0,
  has_positions: false,
};

test("a fit is its words until iterations come, then these and their loss", () => {
  expect(progressWords(PROGRESS)).toBe("Fitting Sammon.");
  expect(progressWords({ ...PROGRESS, iteration: 12 })).toBe("Iteration 12.");
  const loss = [0.5, 0.03214];
  expect(progressWords({ ...PROGRESS, iteration: 12, loss })).toBe(
    "Iteration 12, loss 0.03214.",
  );
});

test("what comes after the fit is told in its own words", () => {
  const words = "Measuring quality.";
  const after = { step: "measuring", words, iteration: 12, loss: [0.5] } as const;
  expect(progressWords({ ...PROGRESS, ...after })).toBe(words);
});

function heights(values: number[]): number[] {
  const points = lossCurve(values).querySelector("polyline")?.getAttribute("points");
  return (points ?? "").split(" ").map((point) => Number(point.split(",")[1]));
}

test("a falling loss falls on the page, from edge to edge", () => {
  const found = heights([3, 2, 1]);
  expect(found).toEqual([4, 36, 68]);
});

test("a loss that stays is a level line", () => {
  const found = heights([0, 0, 0]);
  expect(new Set(found).size).toBe(1);
  expect(found.every(Number.isFinite)).toBe(true);
});

test("the last value is told in words", () => {
  expect(lossCurve([2, 0.123456]).getAttribute("aria-label")).toContain("0.1235");
});
