import { expect, test } from "vitest";
import type { Compressed } from "../../src/scene/scene";
import { mergedCenters } from "../../src/stages/compressed_stage";
import { tensor } from "../made_scene";

// Of class 0 two centres are near each other, of class 1 there is one alone.
const centers: Compressed = {
  positions: tensor(Float32Array.of(0, 0, 1, 0, 9, 9, 0.4, 0), 4, 2),
  labels: tensor(Uint8Array.of(0, 0, 0, 1), 4),
  counts: tensor(Uint32Array.of(1, 3, 2, 5), 4),
  member_of: tensor(Uint8Array.of(0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3), 11),
};

test("the two of a class that are nearest become one, at their common middle", () => {
  const { positions, counts, labels, member_of } = mergedCenters(centers, 0.6);
  expect(Array.from(positions.data)).toEqual([
    0.75,
    0,
    9,
    9,
    expect.closeTo(0.4, 6),
    0,
  ]);
  expect(Array.from(counts.data)).toEqual([4, 2, 5]);
  expect(Array.from(labels.data)).toEqual([0, 0, 1]);
  expect(Array.from(member_of.data)).toEqual([0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2]);
});

test("every class keeps one, and no centre mixes classes", () => {
  const { counts, labels } = mergedCenters(centers, 0);
  expect(Array.from(labels.data)).toEqual([0, 1]);
  expect(Array.from(counts.data)).toEqual([6, 5]);
});

test("all of them are the scene's own", () => {
  expect(mergedCenters(centers, 1)).toBe(centers);
});
