import { expect, test } from "vitest";
import { areasOf } from "../../src/regions/region_lines";
import { tensor } from "../made_scene";

test("each class has its area, and a smaller one where it is surer", () => {
  const rows = 6;
  const labels = Uint8Array.from({ length: 36 }, (_, k) => (k % rows < 3 ? 0 : 4));
  const certainty = Uint8Array.from({ length: 36 }, (_, k) =>
    k % rows < 3 ? 20 : 255,
  );
  const { areas, far } = areasOf({
    box: [0, 0, 1, 1],
    labels: tensor(labels, rows, rows),
    certainty: tensor(certainty, rows, rows),
    support: tensor(new Uint8Array(36).fill(1), rows, rows),
    agreement: null,
  } as never);
  expect(areas.map(({ label, from }) => [label, from])).toEqual([
    [0, 0],
    [4, 0],
    [4, 0.2],
    [4, 0.4],
    [4, 0.6],
    [4, 0.8],
  ]);
  expect(areas.map(({ isFirst }) => isFirst)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(far).toEqual([]);
});
