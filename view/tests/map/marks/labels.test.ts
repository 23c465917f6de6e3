import { expect, test } from "vitest";
import { anchors, densestPlace, placed } from "../../../src/map/marks/labels";
import { tensor } from "../../made_scene";

const width = (text: string) => 6 * text.length;

test("two classes have names on the map, a single one needs none", () => {
  const two = tensor(Uint8Array.of(0, 1));
  const found = anchors(Float32Array.of(0, 0, 1, 1), two, ["a", "b"]);
  expect(found.map(({ text }) => text)).toEqual(["a", "b"]);
  expect(anchors(Float32Array.of(0, 0), tensor(Uint8Array.of(0)), ["a"])).toEqual([]);
});

test("a name belongs to the middle of its class; classes without points have none", () => {
  const names = Array.from({ length: 13 }, (_, c) => `class ${c}`);
  const classes = tensor(Uint8Array.of(3, 3, 3, 7));
  const found = anchors(Float32Array.of(0, 0, 1, 5, 2, 1, 9, 9), classes, names);
  expect(found).toEqual([
    { index: 3, text: "class 3", place: [1, 1] },
    { index: 7, text: "class 7", place: [9, 9] },
  ]);
});

test("the largest class is the first to be named", () => {
  const names = Array.from({ length: 13 }, (_, c) => `class ${c}`);
  const classes = tensor(Uint8Array.of(2, 9, 9, 5, 9, 5));
  const found = anchors(new Float32Array(12), classes, names);
  expect(found.map(({ index }) => index)).toEqual([9, 5, 2]);
  const wanted = found.map(({ index, text }) => ({ index, text, at: [9, 9] as const }));
  expect(placed(wanted, width, 400)[0]).toMatchObject({ index: 9, y: 9 });
});

test("names keep clear of each other, and are left out where they cannot", () => {
  const wanted = Array.from({ length: 9 }, (_, index) => ({
    index,
    text: "name",
    at: [100, 100] as const,
  }));
  const labels = placed(wanted, width, 400);
  expect(labels.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(new Set(labels.map(({ y }) => y)).size).toBe(3);
});

test("a name near the edge is moved in, so that all of it can be read", () => {
  const at = (x: number) => [x, 50] as const;
  const wanted = [
    { index: 0, text: "to the left", at: at(4) },
    { index: 1, text: "to the right", at: at(396) },
  ];
  const [left, right] = placed(wanted, width, 400);
  expect(left.x - width(left.text) / 2).toBeGreaterThan(0);
  expect(right.x + width(right.text) / 2).toBeLessThan(400);
});

function all(positions: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: positions.length / 2 }, (_, i) => i);
}

test("of two parts of a class, the denser one has its name, and not the gap", () => {
  const places = Array.from({ length: 100 }, (_, i) => {
    const t = (i / 100) * 2 * Math.PI;
    const [x, width] = i % 5 < 3 ? [0, 1] : [20, 3];
    return [x + width * Math.cos(7 * t), width * Math.sin(7 * t)];
  });
  const [x, y] = densestPlace(places.flat(), all(places.flat()));
  expect(Math.abs(x)).toBeLessThan(1.5);
  expect(Math.abs(y)).toBeLessThan(1.5);
});

test("of a few points, or of points at one place, it is the median", () => {
  const few = [0, 0, 1, 5, 2, 1];
  expect(densestPlace(few, all(few))).toEqual([1, 1]);
  const same = Array.from({ length: 80 }, () => 3);
  expect(densestPlace(same, all(same))).toEqual([3, 3]);
});
