import { expect, test } from "vitest";
import {
  choices,
  coloring,
  grouping,
  numbersOf,
  scaleWords,
  statesOf,
} from "../../src/color/coloring";
import { COLORS, SHADES } from "../../src/color/colors";
import { CHOSEN, HIDDEN, PLAIN, QUIET } from "../../src/map/points";
import { START } from "../../src/state";
import { bareScene, madeScene, tensor } from "../made_scene";

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
  const feature = { name: "f", low: -1, high: 1, values };
  const five = { ...scene, n_points: 5, features: [feature] };
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
