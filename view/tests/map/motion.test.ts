import { expect, test, vi } from "vitest";
import { Motion } from "../../src/map/motion";

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
