import { expect, test } from "vitest";
import { KeyPanel, keyOf } from "../../src/panels/key";
import { linesOf } from "../../src/regions/region_lines";
import type { Regions, Scene } from "../../src/scene/scene";
import { START, type State } from "../../src/state";
import { bareScene, madeScene, tensor, weighed } from "../made_scene";
import { mounted } from "../mounted";

const SIDE = 40;

/** One class, surest in the middle; no data in the first rows. */
function madeRegions(isFar = true): Regions {
  const cells = SIDE * SIDE;
  const away = (cell: number) =>
    Math.hypot((cell % SIDE) - SIDE / 2, Math.floor(cell / SIDE) - SIDE / 2);
  const grid = (value: (cell: number) => number) =>
    tensor(
      Uint8Array.from({ length: cells }, (_, cell) => value(cell)),
      SIDE,
      SIDE,
    );
  return {
    box: [0, 0, 1, 1],
    labels: grid(() => 0),
    certainty: grid((cell) => Math.max(255 - 10 * away(cell), 0)),
    support: grid((cell) => (isFar && cell < SIDE ? 0 : 255)),
  } as unknown as Regions;
}

const made = madeScene();
const [map] = made.maps;
const prototypes = tensor(new Float32Array(6), 3, 2);
const full: Scene = { ...made, maps: [{ ...map, prototypes, regions: madeRegions() }] };

const kinds = (change: Partial<State>, scene = full) =>
  keyOf(scene, { ...START, ...change }).map(({ kind }) => kind);

test("the key names what is on the map, and only that", () => {
  expect(kinds({})).toEqual(["prototype", "region", "lines", "far"]);
  expect(kinds({ marks: false })).toEqual(["region", "lines", "far"]);
  expect(kinds({ regions: false })).toEqual(["prototype"]);
  expect(kinds({}, bareScene())).toEqual([]);
  const near = { ...full, maps: [{ ...map, regions: madeRegions(false) }] };
  expect(kinds({}, near)).toEqual(["region", "lines"]);
});

test("a single cell without support is told as having no data near", () => {
  const regions = madeRegions(false);
  const support = tensor(regions.support.data.slice(), SIDE, SIDE);
  support.data[7] = 0;
  support.data[8] = 1;
  const scene = { ...full, maps: [{ ...map, regions: { ...regions, support } }] };
  expect(kinds({}, scene)).toContain("far");
  support.data[7] = 1;
  const near = { ...full, maps: [{ ...map, regions: { ...regions, support } }] };
  expect(kinds({}, near)).not.toContain("far");
});

test("the key says what colours the ground, and how often that is right", () => {
  const words = (regions: Regions) =>
    keyOf({ ...full, maps: [{ ...map, regions }] }, START).map((entry) => entry.words);
  expect(words(madeRegions())).toContain("Predicted class");
  const by = { ...madeRegions(), by: "cross-fitted models", accuracy: 0.79 };
  expect(words(by)).toContain(
    "Class predicted by cross-fitted models, right for 79% of held-out rows",
  );
});

test("where most of the map is far from data, that is pale and not hatched", () => {
  const near = madeRegions(false);
  const support = tensor(
    near.support.data.map((_, cell) => (cell < 0.8 * SIDE * SIDE ? 0 : 255)),
    SIDE,
    SIDE,
  );
  const regions = { ...near, support };
  const scene = { ...full, maps: [{ ...map, regions }] };
  expect(kinds({}, scene)).toContain("pale");
  expect(kinds({}, scene)).not.toContain("far");
  expect(kinds({ colorBy: "certainty" }, scene)).toEqual([]);
});

test("rings around so many points that they hide the map are not drawn", () => {
  const ringed = (n: number) => {
    const marks = Uint8Array.from({ length: made.n_points }, (_, i) => Number(i < n));
    const regions = { ...madeRegions(false), contradicts: tensor(marks) };
    return kinds({}, { ...full, maps: [{ ...map, regions }] });
  };
  expect(ringed(made.n_points / 12)).toContain("contradiction");
  expect(ringed(made.n_points / 6)).not.toContain("contradiction");
});

test("lines of equal density are told where they are drawn: on maps of many points", () => {
  const many = { ...bareScene(), n_points: 30_000 };
  expect(kinds({ density: true }, many)).toEqual(["density"]);
  expect(kinds({}, many)).toEqual([]);
  expect(kinds({ density: true }, bareScene())).toEqual([]);
});

test("where colours stand for numbers, regions have none to explain", () => {
  expect(kinds({ colorBy: "certainty" })).toEqual(["prototype", "far"]);
});

test("lines are told with the certainties that they stand for", () => {
  const [lines] = keyOf(full, START).filter(({ kind }) => kind === "lines");
  expect(lines.words).toBe("Certainty 50, 75, 90%");
});

test("the key goes with the level", () => {
  const { el, store } = mounted(KeyPanel, full);
  expect(el.querySelectorAll("li")).toHaveLength(4);
  store.set({ level: "classes" });
  expect(el.textContent).toContain("sized by its number of points");
  store.set({ level: "object" });
  expect(el.textContent).toBe("Nearest prototype of a class");
});

test("lines of equal certainty are closed, also where a cell has it exactly", () => {
  const { isolines } = linesOf(madeRegions(false));
  expect(isolines.map(({ length }) => length)).toEqual([1, 1, 1]);
  for (const [line] of isolines) {
    expect(line.slice(0, 2)).toEqual(line.slice(-2));
  }
});

test("held-out points and contradictions have their marks in the key", () => {
  const held_out = tensor(Uint8Array.from({ length: 60 }, (_, i) => i % 2));
  const contradicts = tensor(Uint8Array.from({ length: 60 }, (_, i) => (i ? 0 : 1)));
  const regions = { ...madeRegions(), contradicts };
  const marked = { ...made, held_out, maps: [{ ...map, regions }] };
  expect(kinds({}, marked).slice(-2)).toEqual(["held_out", "contradiction"]);
  expect(kinds({ regions: false }, marked)).toEqual(["held_out"]);
});

test("arrows and lines to neighbours are in the key while they are on the map", () => {
  const arrows = {
    origin: [0, 0] as const,
    features: ["one"],
    vectors: tensor(Float32Array.of(1, 0), 1, 2),
  };
  const scene = {
    ...made,
    maps: [{ ...map, arrows }],
    neighbors: weighed("data", new Float64Array(5).fill(1)),
  };
  expect(kinds({ arrows: true }, scene)).toEqual(["arrow"]);
  expect(kinds({ arrows: false }, scene)).toEqual([]);
  const linked = { arrows: false, links: true, object: 3 };
  expect(kinds({ ...linked, tab: "object" }, scene)).toEqual(["neighbor"]);
  expect(kinds({ ...linked, tab: "summary" }, scene)).toEqual([]);
});

test("the way to the border is told where it is drawn", () => {
  const borders = tensor(Float32Array.of(1, 1, 2, 3, Number.NaN, Number.NaN), 3, 2);
  const placed = { ...full, maps: [{ ...full.maps[0], borders }] };
  const open = { tab: "object", object: 4 } as const;
  expect(kinds(open, placed)).toContain("border");
  expect(kinds({ ...open, object: 7 }, placed)).not.toContain("border");
  expect(kinds({ ...open, tab: "summary" }, placed)).not.toContain("border");
  expect(kinds(open)).not.toContain("border");
  expect(kinds({ level: "object", object: 4 })).toEqual(["prototype", "border"]);
  expect(kinds({ level: "object", object: 5 })).toEqual(["prototype"]);
});
