import { describe, expect, it, test, vi } from "vitest";
import {
  between,
  cameraFor,
  Motion,
  panned,
  toPlane,
  toScreen,
  zoomed,
} from "../../src/map/camera";

const size = { width: 800, height: 600 };
const camera = { x: 2, y: -1, scale: 50 };

describe("camera", () => {
  it("comes back from the screen to the place it went from", () => {
    const [sx, sy] = toScreen(camera, size, 3.5, 0.25);
    const [x, y] = toPlane(camera, size, sx, sy);
    expect(x).toBeCloseTo(3.5, 12);
    expect(y).toBeCloseTo(0.25, 12);
  });

  it("shows a whole box within its margin", () => {
    const box = { x0: -10, y0: 0, x1: 30, y1: 5 };
    const found = cameraFor(box, size, 20);
    expect(toScreen(found, size, -10, 0)[0]).toBeCloseTo(20);
    expect(toScreen(found, size, 30, 5)[0]).toBeCloseTo(780);
  });

  it("has a finite scale for a single point", () => {
    const found = cameraFor({ x0: 1, y0: 1, x1: 1, y1: 1 }, size);
    expect(Number.isFinite(found.scale)).toBe(true);
    expect(found).toMatchObject({ x: 1, y: 1 });
  });

  it("keeps the place under the pointer when zooming", () => {
    const before = toPlane(camera, size, 123, 456);
    const after = toPlane(zoomed(camera, size, [123, 456], 3), size, 123, 456);
    expect(after[0]).toBeCloseTo(before[0], 12);
    expect(after[1]).toBeCloseTo(before[1], 12);
  });

  it("moves what is shown with the pointer", () => {
    const [x, y] = toScreen(panned(camera, 10, -20), size, 0, 0);
    const [x0, y0] = toScreen(camera, size, 0, 0);
    expect([x - x0, y - y0]).toEqual([10, -20]);
  });

  it("flies from one end to the other", () => {
    const to = { x: 0, y: 0, scale: 200 };
    expect(between(camera, to, 0)).toEqual(camera);
    expect(between(camera, to, 1)).toEqual(to);
    expect(between(camera, to, 0.5).scale).toBeCloseTo(100);
  });
});

test("a motion begins at once and ends at 1, one without time is there at once", async () => {
  const shares: number[] = [];
  new Motion().play(30, (share) => shares.push(share));
  expect(shares[0]).toBeLessThan(0.1);
  await vi.waitFor(() => expect(shares.at(-1)).toBe(1));
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  new Motion().play(0, (share) => shares.push(share * 2));
  expect(shares.at(-1)).toBe(2);
});

test("a step may end its motion", async () => {
  const motion = new Motion();
  const step = vi.fn(() => motion.stop());
  motion.play(1000, step);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  expect(step).toHaveBeenCalledTimes(1);
});
