import { expect, test } from "vitest";
import { bars, stackedBar } from "../../src/charts/bars";
import {
  bestKept,
  logTicks,
  rankCurve,
  shepardDiagram,
  ticks,
  trustCurves,
} from "../../src/charts/quality_charts";
import { MARKUP, tensor } from "../made_scene";

const SERIES = [
  { name: "a", color: "#111111" },
  { name: "b", color: "#222222" },
];

function rects(chart: SVGElement): { value: number; x: number; width: number }[] {
  return Array.from(chart.querySelectorAll("rect"), (rect) => ({
    value: Number(rect.getAttribute("data-value")),
    x: Number(rect.getAttribute("x")),
    width: Number(rect.getAttribute("width")),
  }));
}

test("ticks are round numbers within the range", () => {
  expect(ticks(0, 1, 4)).toEqual([0, 0.5, 1]);
  expect(ticks(0, 9.7, 5)).toEqual([0, 2, 4, 6, 8]);
  expect(ticks(3, 3, 4)).toEqual([3]);
  expect(logTicks(1, 177)).toEqual([1, 2, 5, 10, 20, 50, 100]);
  expect(logTicks(1, 20_000)).toEqual([1, 10, 100, 1000, 10_000]);
});

test("bars are as long as their numbers, from one zero line, to both sides", () => {
  const groups = [
    { name: "up", values: [2, 1] },
    { name: "down", values: [-1, 0.5] },
  ];
  const found = rects(bars(groups, SERIES, 288, "test"));
  const unit = found[0].width / 2;
  for (const { value, width } of found) {
    expect(width).toBeCloseTo(Math.abs(value) * unit, 6);
  }
  const zero = found[0].x;
  expect(found[1].x).toBeCloseTo(zero, 6);
  expect(found[2].x + found[2].width).toBeCloseTo(zero, 6);
});

test("bars say their exact numbers, and what is missing", () => {
  const chart = bars(
    [{ name: MARKUP, values: [1.5, Number.NaN] }],
    SERIES,
    288,
    "test",
  );
  const labels = Array.from(chart.querySelectorAll("rect"), (rect) =>
    rect.getAttribute("aria-label"),
  );
  expect(labels).toEqual([`${MARKUP}, a: 1.5`, `${MARKUP}, b: missing`]);
  expect(chart.querySelector("img")).toBeNull();
});

test("numbers beside the bars have one number of decimals, unless that hides some", () => {
  const texts = (values: number[]) =>
    Array.from(
      bars(
        values.map((value) => ({ name: "f", values: [value] })),
        [SERIES[0]],
        288,
        "test",
      ).querySelectorAll(".ls-value"),
      (text) => text.textContent,
    );
  expect(texts([0.5432, -0.1, -0.0001])).toEqual(["0.543", "−0.100", "0.000"]);
  expect(texts([1200, 0.05])).toEqual(["1200", "0.05"]);
});

test("a long name stands on two lines, and bars keep beside their names", () => {
  const groups = ["short", "od280/od315_of_diluted_wines", "last"].map((name) => ({
    name,
    values: [1],
  }));
  const chart = bars(groups, [SERIES[0]], 288, "test");
  const lines = Array.from(chart.querySelectorAll(".ls-bar-name"), (text) =>
    Array.from(text.querySelectorAll("tspan"), (line) => line.textContent),
  );
  expect(lines).toEqual([["short"], ["od280/od315_of_", "diluted_wines"], ["last"]]);
  const tops = Array.from(chart.querySelectorAll("rect"), (r) =>
    Number(r.getAttribute("y")),
  );
  expect(tops).toEqual([6, 33, 60]);
});

test("shares fill the width in proportion", () => {
  const chart = stackedBar(
    [
      { name: "a", count: 3, color: "red" },
      { name: "b", count: 1, color: "blue" },
    ],
    200,
    "mix",
  );
  expect(rects(chart)).toEqual([
    { value: 3, x: 0, width: 149 },
    { value: 1, x: 150, width: 49 },
  ]);
  expect(chart.textContent).toContain("a: 3 points, 75%");
});

const UNKNOWN = { trustworthiness: null, continuity: null };

test("the rank curve says in words which neighbourhoods are kept best", () => {
  const chart = rankCurve(
    {
      k: tensor(Uint32Array.of(1, 10, 100)),
      r_nx: tensor(Float32Array.of(0.25, 0.5, -0.25)),
      ...UNKNOWN,
    },
    288,
  );
  expect(chart.getAttribute("aria-label")).toContain("medium size are preserved best");
  expect(chart.textContent).not.toMatch(/ at \d/);
  const path = chart.querySelector(".ls-curve")?.getAttribute("d") ?? "";
  const xs = path
    .slice(1)
    .split("L")
    .map((place) => Number(place.split(" ")[0]));
  expect(xs[1] - xs[0]).toBeCloseTo(xs[2] - xs[1], 0);
});

test("close, middle-sized and large neighbourhoods have words of their own", () => {
  const words = (...values: number[]) =>
    bestKept({
      k: tensor(Uint32Array.of(1, 30, 800)),
      r_nx: tensor(Float32Array.from(values)),
      ...UNKNOWN,
    });
  expect(words(0.9, 0.5, 0.1)).toContain("Close neighbors");
  expect(words(0.1, 0.5, 0.1)).toContain("medium size");
  expect(words(0.1, 0.5, 0.9)).toContain("overall layout");
});

test("trustworthiness and continuity are drawn at the same sizes, if they are known", () => {
  const k = tensor(Uint32Array.of(1, 10, 100));
  const r_nx = tensor(Float32Array.of(0.5, 0.5, 0.5));
  expect(trustCurves({ k, r_nx, ...UNKNOWN }, 288)).toBeNull();
  const trustworthiness = tensor(Float32Array.of(0.9, 0.95, 1));
  const continuity = tensor(Float32Array.of(0.8, 0.9, 1));
  const chart = trustCurves({ k, r_nx, trustworthiness, continuity }, 288);
  const lines = Array.from(
    chart?.querySelectorAll(".ls-curve") ?? [],
    (line) => line.getAttribute("d")?.slice(1).split("L") ?? [],
  );
  expect(lines.map((places) => places.length)).toEqual([3, 3]);
  // Both end at 1, in the same place; at the left, T is above C.
  expect(lines[0][2]).toBe(lines[1][2]);
  const [high, low] = lines.map(([place]) => Number(place.split(" ")[1]));
  expect(high).toBeLessThan(low);
});

test("the Shepard diagram counts pairs in cells, and draws the line of proportion", () => {
  const distances = Float32Array.from({ length: 500 }, (_, i) => i / 50);
  const chart = shepardDiagram(
    { original: tensor(distances), shown: tensor(distances.map((d) => 2 * d)) },
    288,
  );
  const cells = Array.from(chart.querySelectorAll(".ls-density"), (path) =>
    path.getAttribute("d"),
  ).join("");
  expect(cells.split("M").length - 1).toBeGreaterThan(20);
  const line = chart.querySelector(".ls-reference");
  expect(Number(line?.getAttribute("y2"))).toBeCloseTo(20, 0);
});

test("charts of nothing are empty, not broken", () => {
  const none = tensor(new Float32Array());
  expect(shepardDiagram({ original: none, shown: none }, 288).outerHTML).not.toContain(
    "NaN",
  );
  expect(
    rankCurve({ k: tensor(new Uint32Array()), r_nx: none, ...UNKNOWN }, 288).outerHTML,
  ).not.toContain("NaN");
  expect(bars([], SERIES, 288, "test").outerHTML).not.toContain("NaN");
});

test("groups with axes of their own fill the width, each with its own decimals", () => {
  const groups = [
    { name: "grams", values: [1039, 1150] },
    { name: "share", values: [0.25, 0.5] },
  ];
  const chart = bars(groups, SERIES, 288, "test", "each");
  const found = rects(chart);
  expect(found[1].width).toBeCloseTo(found[3].width, 6);
  expect(found[2].width).toBeCloseTo(found[3].width / 2, 6);
  const texts = Array.from(
    chart.querySelectorAll(".ls-value"),
    (text) => text.textContent,
  );
  expect(texts).toEqual(["1039", "1150", "0.250", "0.500"]);
});
