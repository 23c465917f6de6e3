import { describe, expect, it } from "vitest";
import type { Regions } from "../src/scene";
import { stretched } from "../src/stretch";
import { madeScene, tensor } from "./made_scene";

describe("stretched", () => {
  const prototypes = tensor(Float32Array.of(1, 2, 3, 4), 2, 2);
  const cells = tensor(Uint8Array.of(0), 1, 1);
  const regions: Regions = {
    box: [-1, -2, 3, 4],
    labels: cells,
    certainty: cells,
    support: cells,
    agreement: null,
    share_far: 0,
    words: "",
  };
  const map = { ...madeScene().maps[0], prototypes, regions };

  it("draws points, prototypes and regions larger in the narrow direction", () => {
    const drawn = stretched({ ...map, stretch: [1, 8] });
    const { positions } = map;
    expect(drawn.positions.data[2]).toBe(positions.data[2]);
    expect(drawn.positions.data[3]).toBeCloseTo(8 * positions.data[3], 4);
    expect(drawn.prototypes?.data).toEqual(Float32Array.of(1, 16, 3, 32));
    expect(drawn.regions?.box).toEqual([-1, -16, 3, 32]);
  });

  it("leaves other maps as they are", () => {
    expect(stretched(map)).toBe(map);
    expect(stretched({ ...map, stretch: [1, 1] }).positions).toBe(map.positions);
  });
});
