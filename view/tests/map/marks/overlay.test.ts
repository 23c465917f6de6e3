import { expect, test, vi } from "vitest";
import { CHOSEN, HIDDEN } from "../../../src/color/points";
import { drawMarks } from "../../../src/map/marks/overlay";
import { Projection } from "../../../src/map/projection";
import { madeScene } from "../../made_scene";

const SIZE = { width: 100, height: 100 };

test("chosen points have rings, but not where they are hidden", () => {
  const arc = vi.fn();
  const context = new Proxy(
    { arc },
    {
      get: (own, name) => (name === "arc" ? own.arc : () => {}),
      set: () => true,
    },
  ) as unknown as CanvasRenderingContext2D;
  drawMarks(context, {
    projection: new Projection({ x: 0, y: 0, scale: 10 }, SIZE, null),
    shade: "light",
    positions: Float32Array.of(0, 0, 2, 0),
    states: Uint8Array.of(HIDDEN, CHOSEN),
    selection: Uint32Array.of(0, 1),
    hover: null,
    labels: [],
    holes: [],
    rings: [],
    suspects: [],
    links: { lines: [], rings: [] },
    scene: madeScene(),
    pointSize: 6,
    path: [],
  });
  expect(arc.mock.calls.map(([x, y]) => [x, y])).toEqual([[70, 50]]);
});
