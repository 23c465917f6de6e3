import { describe, expect, it } from "vitest";
import type { Point } from "../../src/geometry/plane";
import {
  HyperbolicDisc,
  moved,
  tau,
  tauInverse,
  usualStrength,
} from "../../src/map/hyperbolic";

const places: Point[] = [
  [0.3, -1.2],
  [5, 2],
  [-40, 7],
  [0, 0],
  [1e-9, 1e-9],
];
const focus: Point = [0.5, 0.25];
const strength = 0.4;

describe("tau", () => {
  it("is tanh(s r) in the direction away from the focus", () => {
    const [u, v] = tau([3.5, 4.25], focus, strength); // 3, 4 away: r = 5
    expect(u).toBeCloseTo(Math.tanh(2) * 0.6, 12);
    expect(v).toBeCloseTo(Math.tanh(2) * 0.8, 12);
  });

  it("puts the focus in the middle and all else inside the disc", () => {
    expect(tau(focus, focus, strength)).toEqual([0, 0]);
    for (const place of [...places, [1e6, 1e6] as Point]) {
      expect(Math.hypot(...tau(place, focus, strength))).toBeLessThan(1);
    }
  });

  it("keeps the order of distances to the focus", () => {
    const radius = (place: Point) => Math.hypot(...tau(place, focus, strength));
    expect(radius([1, 0.25])).toBeLessThan(radius([1.5, 0.25]));
  });

  it("is undone by its inverse, up to where it reaches the rim", () => {
    for (const place of places.filter(([x]) => Math.abs(x) < 40)) {
      const [x, y] = tauInverse(tau(place, focus, strength), focus, strength);
      expect(x).toBeCloseTo(place[0], 9);
      expect(y).toBeCloseTo(place[1], 9);
    }
  });
});

describe("the rigid motion", () => {
  it("followed by its inverse is the identity", () => {
    const a: Point = [0.3, -0.6];
    for (const z of [
      [0.1, 0.2],
      [-0.7, 0.6],
      [0.3, -0.6],
    ] as Point[]) {
      const [x, y] = moved(moved(z, a), [-a[0], -a[1]]);
      expect(x).toBeCloseTo(z[0], 12);
      expect(y).toBeCloseTo(z[1], 12);
    }
  });

  it("keeps hyperbolic distances", () => {
    const distance = (z: Point, w: Point) => Math.hypot(...moved(z, w));
    const [z, w, a]: Point[] = [
      [0.2, 0.5],
      [-0.4, 0.1],
      [0.6, -0.3],
    ];
    expect(distance(moved(z, a), moved(w, a))).toBeCloseTo(distance(z, w), 12);
  });
});

describe("the disc", () => {
  const disc = new HyperbolicDisc([0, 0], { focus, strength });

  it("has its focus in the middle", () => {
    const [x, y] = disc.shown(focus);
    expect(Math.hypot(x, y)).toBeLessThan(1e-12);
  });

  it("finds the place that it shows", () => {
    for (const place of places.slice(0, 2)) {
      const [x, y] = disc.placeAt(disc.shown(place));
      expect(x).toBeCloseTo(place[0], 6);
      expect(y).toBeCloseTo(place[1], 6);
    }
  });

  it("brings a dragged place exactly under the pointer", () => {
    for (const to of [
      [0, 0],
      [0.4, -0.2],
      [-0.8, 0.3],
    ] as Point[]) {
      const found = disc.focusBringing([1.5, -0.5], to);
      const after = new HyperbolicDisc([0, 0], { focus: found, strength });
      const [x, y] = after.shown([1.5, -0.5]);
      expect(x).toBeCloseTo(to[0], 10);
      expect(y).toBeCloseTo(to[1], 10);
    }
  });

  it("shows many points where it shows one", () => {
    const positions = places.flat();
    const shown = new Float32Array(positions.length);
    disc.shownAll(positions, shown);
    places.forEach((place, i) => {
      const [x, y] = disc.shown(place);
      expect(shown[2 * i]).toBeCloseTo(x, 6);
      expect(shown[2 * i + 1]).toBeCloseTo(y, 6);
    });
  });

  it("has half of the points within 0.6 at its usual strength", () => {
    const positions = [1, 0, 2, 0, 3, 0];
    const s = usualStrength(positions, [0, 0]);
    expect(Math.tanh(2 * s)).toBeCloseTo(0.6, 12);
  });
});
