import { expect, test } from "vitest";
import type { Progress, Run } from "../../src/app/api";
import { lossCurve, progressWords, Running } from "../../src/app/running";

const PROGRESS: Progress = {
  step: "fitting",
  begun: 0,
  past: [],
  done: null,
  total: null,
  iteration: 0,
  loss: [],
  version: 0,
  has_positions: false,
};

test("a fit is told by its iterations and their loss, once there are some", () => {
  expect(progressWords(PROGRESS)).toBe("Fit the map");
  expect(progressWords({ ...PROGRESS, iteration: 12 })).toBe(
    "Fit the map: iteration 12",
  );
  const loss = [0.5, 0.03214];
  expect(progressWords({ ...PROGRESS, iteration: 12, loss })).toBe(
    "Fit the map: iteration 12, loss 0.03214",
  );
});

test("what comes after the fit is told without its loss, and counted", () => {
  const after = { step: "measuring", iteration: 12, loss: [0.5] } as const;
  expect(progressWords({ ...PROGRESS, ...after })).toBe(
    "Measure what the map preserves",
  );
  const judging = { step: "judging", done: 3, total: 8 } as const;
  expect(progressWords({ ...PROGRESS, ...judging })).toBe(
    "Test the map on held-out rows: 3 of 8",
  );
});

test("steps that are done are listed with their times, the running one with a bar", () => {
  const begun = Date.now() / 1000 - 5;
  const running = new Running({ state: "running", created: begun } as Run);
  running.show({
    ...PROGRESS,
    step: "judging",
    begun,
    done: 3,
    total: 8,
    past: [
      ["reading", 0.2],
      ["fitting", 64],
    ],
  });
  const words = [...running.el.querySelectorAll("li")].map((li) => li.textContent);
  expect(words).toEqual([
    "Read the table0 s",
    "Fit the map1 min 4 s",
    "Test the map on held-out rows: 3 of 85 s",
  ]);
  expect(running.el.querySelector("[aria-current] progress")).toMatchObject({
    value: 3,
    max: 8,
  });
  expect(running.el.textContent).not.toContain("left");
  running.destroy();
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
