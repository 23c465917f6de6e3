import { expect, test } from "vitest";
import {
  choices,
  coloring,
  grouping,
  missingWords,
  numbersOf,
  scaleWords,
  showsClasses,
  statesOf,
} from "../../src/color/coloring";
import { COLORS, SHADES } from "../../src/color/colors";
import { CHOSEN, HIDDEN, PLAIN, QUIET } from "../../src/color/points";
import { START } from "../../src/state";
import { columnedScene } from "../columned";
import { bareScene, feature, madeScene, tensor } from "../made_scene";

const scene = madeScene();

test("only what the scene has numbers for can be chosen", () => {
  const values = choices(scene, 0).map(({ value }) => value);
  expect(values.slice(0, 4)).toEqual(["class", "prediction", "certainty", "errors"]);
  expect(values).toContain("feature:feature 1");
  expect(values).not.toContain("tears");
  expect(choices(bareScene(), 0).map(({ value }) => value)).toEqual(["class"]);
});

test("classes get the colours in order, and points without a class the last", () => {
  const labels = tensor(Uint8Array.of(0, 1, 2, 255));
  const four = { ...scene, n_points: 4, labels };
  const { codes, palette } = coloring(four, 0, "class", "light");
  expect([...codes]).toEqual([0, 1, 2, COLORS.length]);
  expect(palette).toHaveLength(COLORS.length + 1);
});

test("numbers go from the first shade to the last, missing ones to none", () => {
  const values = Float32Array.of(-1, 0, 1, Number.NaN, 99);
  const f = feature({ name: "f", low: -1, values });
  const five = { ...scene, n_points: 5, features: [f] };
  const { codes } = coloring(five, 0, "feature:f", "dark");
  expect([...codes]).toEqual([0, 128, SHADES - 1, SHADES, SHADES - 1]);
  expect(numbersOf(five, 0, "feature:f")).toMatchObject({ words: "f", low: -1 });
});

test("distortions are told apart where most of them are, alike on all maps", () => {
  const shares = (high: number) =>
    tensor(Float32Array.from({ length: 100 }, (_, i) => (i < 99 ? high : 0.9)));
  const map = (high: number) => ({
    ...scene.maps[0],
    distortion: { false_neighbours: shares(0.03), tears: shares(high) },
  });
  const two = { ...scene, n_points: 100, maps: [map(0.12), map(0.31)] };
  for (const index of [0, 1]) {
    const numbers = numbersOf(two, index, "tears");
    expect(numbers).toMatchObject({ low: 0, high: 0.35, isOpen: true });
    expect(numbers && scaleWords(numbers, 0.35)).toBe("0.35 or more");
    expect(numbers && scaleWords(numbers, 0)).toBe("0");
  }
  expect(numbersOf(two, 0, "false_neighbours")).toMatchObject({ high: 0.05 });
  expect(coloring(two, 0, "tears", "light").codes[99]).toBe(SHADES - 1);
});

test("quiet points have colours of their own, one for each", () => {
  const { palette, quietPalette } = coloring(scene, 0, "class", "dark");
  expect(quietPalette).toHaveLength(palette.length);
  expect(quietPalette).not.toContain(palette[0]);
});

test("an unknown colouring is that of the classes", () => {
  expect(numbersOf(scene, 0, "feature:gone")).toBeNull();
  const { palette } = coloring(scene, 0, "feature:gone", "light");
  expect(palette).toHaveLength(COLORS.length + 1);
});

test("errors stand out, all else is quiet", () => {
  const labels = tensor(Uint8Array.of(0, 1, 255));
  const predictions = tensor(Uint8Array.of(0, 0, 0));
  const three = { ...scene, n_points: 3, labels, predictions };
  const { quiet } = coloring(three, 0, "errors", "light");
  const states = statesOf(three, { ...START, colorBy: "errors" }, quiet);
  expect([...states]).toEqual([QUIET, PLAIN, QUIET]);
});

test("hidden classes are hidden even when chosen; chosen points make others quiet", () => {
  const selection = Uint32Array.of(1, 3);
  const state = { ...START, selection, hiddenClasses: new Set([0]) };
  const states = statesOf(scene, state, null);
  expect([...states.slice(0, 4)]).toEqual([HIDDEN, CHOSEN, QUIET, HIDDEN]);
});

test("the legend counts predictions where they give the colours", () => {
  expect(grouping(scene, "prediction")).toBe(scene.predictions);
  expect(grouping(scene, "certainty")).toBe(scene.labels);
  expect(grouping(bareScene(), "class")).toBeNull();
});

/** Every other point was held out, and the map has judged three of four. */
function judgedScene() {
  const held_out = tensor(Uint8Array.from({ length: 60 }, (_, i) => i % 2));
  const judged_right = tensor(
    Float32Array.from({ length: 60 }, (_, i) => [0, 0.6, 1, Number.NaN][i % 4]),
  );
  return { ...scene, held_out, maps: [{ ...scene.maps[0], judged_right }] };
}

test("how often points were judged right is a colour, grey where nobody tried", () => {
  const judged = judgedScene();
  expect(choices(judged, 0).map(({ words }) => words)).toContain(
    "Correct when held out",
  );
  const { codes } = coloring(judged, 0, "judged_right", "light");
  expect([codes[0], codes[2], codes[3]]).toEqual([0, SHADES - 1, SHADES]);
  const numbers = numbersOf(judged, 0, "judged_right");
  expect(numbers && scaleWords(numbers, 1)).toBe("100%");
  expect(numbers && missingWords(numbers)).toBe("never held out: 15");
  expect(numbers && missingWords({ ...numbers, missing: "" })).toBe("");
  expect(choices(scene, 0).map(({ value }) => value)).not.toContain("judged_right");
});

test("the distance from predicted positions is a colour of maps that have it", () => {
  const errors = tensor(
    Float32Array.from({ length: 60 }, (_, i) => [0, 0.6, 3, Number.NaN][i % 4]),
  );
  const place_errors = { errors, misplaced: tensor(Uint32Array.of(2, 1)) };
  const placed = { ...scene, maps: [{ ...scene.maps[0], place_errors }] };
  expect(choices(placed, 0).map(({ value }) => value)).toContain("place_errors");
  expect(choices(scene, 0).map(({ value }) => value)).not.toContain("place_errors");
  const { codes } = coloring(placed, 0, "place_errors", "light");
  expect([codes[0], codes[2], codes[3]]).toEqual([0, SHADES - 1, SHADES]);
  const numbers = numbersOf(placed, 0, "place_errors");
  expect(numbers && scaleWords(numbers, 1)).toBe("1 or more");
  expect(numbers && missingWords(numbers)).toBe("not tested: 15");
});

test("held-out rows are a colour, where some are known", () => {
  const judged = judgedScene();
  const { codes, palette } = coloring(judged, 0, "held_out", "dark");
  expect([...codes.slice(0, 4)]).toEqual([0, 1, 0, 1]);
  expect(new Set(palette).size).toBe(2);
  expect(showsClasses(judged, 0, "held_out")).toBe(false);
  expect(showsClasses(scene, 0, "held_out")).toBe(true);
  expect(choices(scene, 0).map(({ value }) => value)).not.toContain("held_out");
});

test("fitted and held-out rows can be hidden, along with classes", () => {
  const hidden = {
    hiddenParts: new Set(["fitted"] as const),
    hiddenClasses: new Set([1]),
  };
  const states = statesOf(judgedScene(), { ...START, ...hidden }, null);
  // Odd points were held out, and point 1 is of class 1.
  expect([...states.slice(0, 4)]).toEqual([HIDDEN, HIDDEN, HIDDEN, PLAIN]);
});

const columned = columnedScene();

test("points are coloured by column, not by the features that stand for it", () => {
  const values = choices(columned, 0).map(({ value }) => value);
  expect(values).toContain("column:colour");
  expect(values).toContain("column:dose");
  expect(values).not.toContain("feature:colour=red");
  expect(values).not.toContain("column:link");
  const { codes } = coloring(columned, 0, "column:colour", "light");
  expect([...codes.slice(0, 6)]).toEqual([0, 1, 2, 0, 1, COLORS.length]);
  expect(showsClasses(columned, 0, "column:colour")).toBe(false);
  expect(numbersOf(columned, 0, "column:dose")).toMatchObject({ high: 59 });
});

test("points of hidden categories are hidden, whatever colours stand for", () => {
  const hiddenCategories = new Map([["batch", new Set([1])]]);
  const states = statesOf(columned, { ...START, hiddenCategories }, null);
  expect([...states.slice(8, 12)]).toEqual([PLAIN, PLAIN, HIDDEN, HIDDEN]);
});
