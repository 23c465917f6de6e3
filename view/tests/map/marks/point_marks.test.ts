import { expect, test } from "vitest";
import { HIDDEN, PLAIN } from "../../../src/color/points";
import { pointMarks, suspectRings } from "../../../src/map/marks/point_marks";
import { lookOf } from "../../../src/map/painting/appearance";
import { Projection } from "../../../src/map/projection";

const SIZE = { width: 100, height: 100 };
const projection = new Projection({ x: 0, y: 0, scale: 10 }, SIZE, null);
/** In the middle, to the right, and off the stage. */
const positions = Float32Array.of(0, 0, 2, 0, 40, 0);

function marks(change: object = {}) {
  return pointMarks({
    projection,
    positions,
    states: new Uint8Array(3).fill(PLAIN),
    sizes: [10, 9, 12, 0],
    heldOut: Uint32Array.of(0, 2),
    contradictions: Uint32Array.of(1),
    ...change,
  });
}

test("held-out points have a hole, contradictions a ring, where they are seen", () => {
  const { holes, rings } = marks();
  expect(holes.map(({ at }) => at)).toEqual([[50, 50]]);
  expect(holes[0].radius).toBeLessThan(5);
  expect(rings.map(({ at }) => at)).toEqual([[70, 50]]);
  expect(rings[0].radius).toBeGreaterThan(5);
});

test("hidden points have no marks", () => {
  expect(marks({ states: new Uint8Array(3).fill(HIDDEN) })).toEqual({
    holes: [],
    rings: [],
  });
});

test("points that are too small for a hole have none", () => {
  const { sizes } = lookOf(100_000, 1);
  expect(marks({ sizes }).holes).toEqual([]);
  expect(marks({ sizes }).rings).toHaveLength(1);
});

test("a suspect has a wide ring, so that another fits inside", () => {
  const states = new Uint8Array(3).fill(PLAIN);
  const sizes = [10, 9, 12, 0] as const;
  const given = { projection, positions, states, sizes };
  const [ring, ...others] = suspectRings(given, Uint32Array.of(1, 2));
  expect(others).toEqual([]);
  expect(ring.at).toEqual([70, 50]);
  expect(ring.radius).toBeGreaterThan(marks().rings[0].radius + 1);
});
