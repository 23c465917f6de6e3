import { expect, test } from "vitest";
import { HyperbolicDisc } from "../../src/map/hyperbolic";
import { bentLine, Projection } from "../../src/map/projection";

const size = { width: 400, height: 400 };
const disc = new HyperbolicDisc([0, 0], { focus: [0.3, 0.2], strength: 3 });
const bent = new Projection({ x: 0, y: 0, scale: 190 }, size, disc);
const flat = new Projection({ x: 0, y: 0, scale: 100 }, size, null);

test("a line of the flat map stays one piece", () => {
  expect(bentLine(flat, [0, 0], [1, 1])).toEqual([[200, 200]]);
});

test("a line in the disc is cut into short pieces that follow the bend", () => {
  const line = [...bentLine(bent, [-1, -1], [1, -1]), bent.screen([1, -1])];
  const gaps = line
    .slice(1)
    .map(([x, y], k) => Math.hypot(x - line[k][0], y - line[k][1]));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(6);
  for (const pixel of line) {
    expect(bent.place(pixel)[1]).toBeCloseTo(-1, 6);
  }
});

test("a pixel leads back to the place it shows, flat and in the disc", () => {
  for (const projection of [flat, bent]) {
    const [x, y] = projection.place(projection.screen([0.7, -0.4]));
    expect(x).toBeCloseTo(0.7, 9);
    expect(y).toBeCloseTo(-0.4, 9);
  }
});
