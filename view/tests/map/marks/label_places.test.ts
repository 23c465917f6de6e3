import { expect, test } from "vitest";
import { besideMarks } from "../../../src/map/marks/label_places";
import { sideLabels, spread } from "../../../src/stages/object_layout";

test("names stand to the right, else to the left, else nowhere", () => {
  const mark = { x: 50, y: 50, radius: 5, width: 30 };
  const [free] = besideMarks([mark], 200, 100);
  expect(free).toEqual({ x: 59, y: 50, anchor: "start" });
  const [atEdge] = besideMarks([{ ...mark, x: 190 }], 200, 100);
  expect(atEdge?.anchor).toBe("end");
  const [none] = besideMarks([mark], 20, 20);
  expect(none).toBeNull();
});

test("no name lies over another name or mark", () => {
  const marks = Array.from({ length: 80 }, (_, i) => ({
    x: (i * 97) % 700,
    y: (i * 61) % 500,
    radius: 6,
    width: 50,
  }));
  const boxes = besideMarks(marks, 700, 500).flatMap((place, i) => {
    if (place === null) {
      return [];
    }
    const shift = { start: 0, middle: -25, end: -50 }[place.anchor];
    return [{ i, left: place.x + shift, top: place.y - 8 }];
  });
  expect(boxes.length).toBeGreaterThan(20);
  for (const a of boxes) {
    for (const b of boxes) {
      const overlap = Math.abs(a.left - b.left) < 50 && Math.abs(a.top - b.top) < 16;
      expect(a === b || !overlap).toBe(true);
    }
  }
});

test("places are moved apart as little as needed, and stay inside", () => {
  expect(spread([10, 50], 0, 100, 20)).toEqual([10, 50]);
  expect(spread([50, 50], 0, 100, 20)).toEqual([40, 60]);
  expect(spread([0, 0, 95], 0, 100, 20)).toEqual([10, 30, 90]);
  // Too many for the room: closer together, all inside.
  expect(spread([5, 5, 5, 5], 0, 40, 20)).toEqual([5, 15, 25, 35]);
  expect(spread([], 0, 40, 20)).toEqual([]);
});

test("labels stand on the side of their point, unless that side is full", () => {
  const right = Array.from({ length: 6 }, (_, i) => [60 + i, 50] as const);
  expect(
    sideLabels(
      [
        [10, 5],
        [90, 5],
      ],
      50,
      0,
      100,
      20,
    ),
  ).toEqual([
    { side: "left", y: 10 },
    { side: "right", y: 10 },
  ]);
  const sides = sideLabels(right, 50, 0, 80, 20).map(({ side }) => side);
  expect(sides).toEqual(["left", "left", "right", "right", "right", "right"]);
});
