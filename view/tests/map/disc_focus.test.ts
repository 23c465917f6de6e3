import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Point } from "../../src/geometry/plane";
import { DiscFocus } from "../../src/map/disc_focus";
import { HyperbolicDisc, toward, usualDisc } from "../../src/map/hyperbolic";
import { Projection } from "../../src/map/projection";
import { Store } from "../../src/state";

const PLACES = [0, 0, 1, 0, 0, 2, -3, 1, 2, 2];
const SIZE = { width: 400, height: 400 };

let frames: (() => void)[];
let now: number;
let isStill: boolean;

beforeEach(() => {
  frames = [];
  now = 0;
  isStill = false;
  vi.stubGlobal("matchMedia", () => ({ matches: isStill }));
  vi.stubGlobal("performance", { now: () => now });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
});

afterEach(() => vi.unstubAllGlobals());

function made() {
  const store = new Store({ disc: usualDisc(PLACES) });
  const base = usualDisc(PLACES).focus;
  const projection = () => {
    const { disc } = store.state;
    const bent = disc && new HyperbolicDisc(base, disc);
    return new Projection({ x: 0, y: 0, scale: 180 }, SIZE, bent);
  };
  const focus = new DiscFocus(store, { base, places: () => PLACES, projection });
  return { store, focus, projection };
}

/** Let time pass, a frame at a time. */
function pass(milliseconds: number): void {
  for (const end = now + milliseconds; now < end; ) {
    now += 20;
    for (const frame of frames.splice(0)) {
      frame();
    }
  }
}

/** How far two places of the disc are from each other, as the disc measures. */
function far(a: Point, b: Point): number {
  const [re, im] = [1 - a[0] * b[0] - a[1] * b[1], a[1] * b[0] - a[0] * b[1]];
  return Math.atanh(Math.hypot(a[0] - b[0], a[1] - b[1]) / Math.hypot(re, im));
}

test("a share of the way is that share of the length, as the disc measures", () => {
  const z: Point = [0.6, -0.7];
  const length = far([0, 0], z);
  for (const share of [0, 0.25, 0.5, 1]) {
    expect(far([0, 0], toward(z, share))).toBeCloseTo(share * length, 10);
    expect(far(toward(z, share), z)).toBeCloseTo((1 - share) * length, 7);
  }
});

test("a wanted place comes to the middle in small steps, and nearer with each", () => {
  const { store, focus, projection } = made();
  const goal: Point = [2, 2];
  focus.fly(goal);
  const distances = [0];
  let last = Number.POSITIVE_INFINITY;
  while (frames.length > 0) {
    const [x, y] = projection().screen(goal);
    const left = Math.hypot(x - 200, y - 200);
    expect(left).toBeLessThanOrEqual(last + 1e-9);
    distances.push(left);
    last = left;
    pass(20);
  }
  expect(distances.length).toBeGreaterThan(20);
  expect(store.state.disc?.focus).toEqual(goal);
});

test("who asked for less motion is there at once", () => {
  isStill = true;
  const { store, focus } = made();
  focus.fly([2, 2]);
  expect(store.state.disc?.focus).toEqual([2, 2]);
  expect(frames).toHaveLength(0);
});

test("a second click that belongs to the first one is known, with motion and without", () => {
  for (isStill of [false, true]) {
    const { focus } = made();
    focus.fly([2, 2]);
    pass(300);
    expect(focus.isMoving).toBe(true);
    pass(400);
    expect(focus.isMoving).toBe(false);
  }
});

test("a flight ends where somebody else moves the disc", () => {
  const { store, focus } = made();
  focus.fly([2, 2]);
  pass(100);
  const other = { focus: [0, 1], strength: 1 } as const;
  store.set({ disc: other });
  pass(1000);
  expect(store.state.disc).toBe(other);
});

test("home are the usual focus and strength; bending has its limits", () => {
  const { store, focus } = made();
  focus.bend(1e9);
  expect(store.state.disc?.strength).toBeCloseTo(6 * usualDisc(PLACES).strength, 10);
  focus.fly([2, 2]);
  pass(1000);
  focus.goHome();
  pass(1000);
  expect(store.state.disc?.focus).toEqual(usualDisc(PLACES).focus);
  expect(store.state.disc?.strength).toBeCloseTo(usualDisc(PLACES).strength, 10);
});

test("what is dragged stays under the pointer", () => {
  const { focus, projection } = made();
  focus.grab([1, 0]);
  focus.drag([90, 140]);
  expect(projection().screen([1, 0])).toEqual([
    expect.closeTo(90, 6),
    expect.closeTo(140, 6),
  ]);
});
