import { expect, test } from "vitest";
import { lossCurve } from "../../../src/app/run/loss_curve";

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
