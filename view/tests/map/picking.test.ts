import { expect, test } from "vitest";
import { HIDDEN } from "../../src/color/points";
import { bounds, type Point, placeOf } from "../../src/geometry/plane";
import { cameraFor } from "../../src/map/camera";
import { Grid } from "../../src/map/grid";
import { HyperbolicDisc } from "../../src/map/hyperbolic";
import { combined, pointAt, pointBeside, pointsInside } from "../../src/map/picking";
import { Projection } from "../../src/map/projection";

const size = { width: 400, height: 400 };
const positions = Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5);
const grid = new Grid(positions);
const states = new Uint8Array(5);
const flat = new Projection(cameraFor(bounds(positions), size), size, null);
const focus: Point = [0.5, 0.5];
const disc = new HyperbolicDisc([0.2, 0.1], { focus, strength: 1.5 });
const bent = new Projection({ x: 0, y: 0, scale: 190 }, size, disc);
const shown = new Float32Array(10);
disc.shownAll(positions, shown);

test("the point under the pointer is found, flat and in the disc", () => {
  for (const projection of [flat, bent]) {
    for (let i = 0; i < 5; i++) {
      const [x, y] = projection.screen(placeOf(positions, i));
      const drawn = projection.disc ? shown : positions;
      expect(pointAt({ grid, shown: drawn, states }, projection, [x + 2, y - 2])).toBe(
        i,
      );
    }
  }
});

test("far from all points there is none, nor where a point is hidden", () => {
  expect(pointAt({ grid, shown: positions, states }, flat, [100, 200])).toBe(-1);
  const hidden = Uint8Array.of(0, 0, 0, 0, HIDDEN);
  expect(pointAt({ grid, shown: positions, states: hidden }, flat, [200, 200])).toBe(
    -1,
  );
});

test("arrows lead from a point to the next one that way, flat and in the disc", () => {
  const step = (projection: Projection, from: number, way: Point, hidden = states) =>
    pointBeside(
      { grid, shown: projection.disc ? shown : positions, states: hidden },
      projection,
      projection.screen(placeOf(positions, from)),
      way,
    );
  expect(step(flat, 0, [1, 0])).toBe(1);
  expect(step(flat, 1, [0, -1])).toBe(2);
  expect(step(flat, 2, [-1, 0])).toBe(3);
  expect(step(flat, 3, [-1, 0])).toBe(-1);
  expect(step(flat, 0, [1, 0], Uint8Array.of(0, HIDDEN, 0, 0, 0))).toBe(4);
  expect(step(bent, 4, [1, 0])).toBeGreaterThanOrEqual(1);
});

test("a line drawn around points chooses them, flat and in the disc", () => {
  for (const projection of [flat, bent]) {
    const around: Point[] = [
      [-0.2, -0.2],
      [1.2, -0.2],
      [1.2, 0.7],
      [-0.2, 0.7],
    ];
    const drawn = projection.disc ? shown : positions;
    // Straight sides are bent in the disc, so they are drawn in small steps.
    const line = around.flatMap(([x, y], k) => {
      const [nx, ny] = around[(k + 1) % 4];
      return Array.from({ length: 20 }, (_, i) =>
        projection.screen([x + ((nx - x) * i) / 20, y + ((ny - y) * i) / 20]),
      );
    });
    expect([...pointsInside({ grid, shown: drawn, states }, projection, line)]).toEqual(
      [0, 1, 4],
    );
  }
});

test("picked points stand instead, are added, or taken away", () => {
  const before = Uint32Array.of(1, 5, 9);
  const picked = Uint32Array.of(2, 5);
  expect([...combined(before, picked, "instead")]).toEqual([2, 5]);
  expect([...combined(before, picked, "add")]).toEqual([1, 2, 5, 9]);
  expect([...combined(before, picked, "remove")]).toEqual([1, 9]);
});
