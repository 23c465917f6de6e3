import { expect, test } from "vitest";
import { comparable, meant, shownValue, written } from "../../src/scene/values";
import { feature } from "../made_scene";

const DATE = { kind: "date" } as const;
const TRUTH = { kind: "truth" } as const;
const NUMBER = {};
/** 4 March 2021. */
const MARCH = 18_690;

test("a date is shown as a day", () => {
  expect(written(DATE, MARCH)).toBe("2021-03-04");
  expect(written(DATE, MARCH + 0.75)).toBe("2021-03-04");
  expect(written(DATE, -1)).toBe("1969-12-31");
});

test("a moment that was rounded to just before midnight is of the next day", () => {
  expect(written(DATE, MARCH - 0.001)).toBe("2021-03-04");
});

test("what is no date is shown as a number", () => {
  expect(written(DATE, Number.NaN)).toBe("–");
  expect(written(DATE, 1e9)).toBe("1.00e9");
});

test("truth is no or yes, and a number in between", () => {
  expect([0, 1, 0.25, Number.NaN].map((value) => written(TRUTH, value))).toEqual([
    "no",
    "yes",
    "0.25",
    "–",
  ]);
  expect(written(NUMBER, 1)).toBe("1");
});

test("what people write is understood", () => {
  expect(meant(DATE, " 2021-03-04 ")).toBe(MARCH);
  expect(meant(DATE, "18690")).toBe(MARCH);
  expect(meant(DATE, "2021-13-04")).toBeNaN();
  expect(["Yes", "true", "no", "1"].map((words) => meant(TRUTH, words))).toEqual([
    1, 1, 0, 1,
  ]);
  expect(meant(NUMBER, "yes")).toBeNaN();
});

test("moments are compared by their day", () => {
  expect(comparable(DATE)(MARCH + 0.9)).toBe(MARCH);
  expect(comparable(NUMBER)(0.9)).toBe(0.9);
});

test("an assumed value is missing, and says what was assumed", () => {
  const values = Float32Array.of(3, 0.4, 5);
  const imputed = Uint32Array.of(1);
  const assumed = feature({ name: "a", low: 3, high: 5, values, imputed });
  expect(shownValue(assumed, 0)).toEqual({ words: "3" });
  expect(shownValue(assumed, 1)).toEqual({
    words: "missing",
    title: "imputed as 0.4",
  });
  expect(shownValue({ ...assumed, imputed: null }, 1)).toEqual({ words: "0.4" });
  const day = { ...assumed, ...DATE, values: Float32Array.of(0, MARCH, 0) };
  expect(shownValue(day, 1).title).toBe("imputed as 2021-03-04");
});
