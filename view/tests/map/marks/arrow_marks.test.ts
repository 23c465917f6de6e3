import { expect, test } from "vitest";
import type { Point } from "../../../src/geometry/plane";
import { ArrowMarks, arrowNames, arrowPath } from "../../../src/map/marks/arrow_marks";
import { Projection } from "../../../src/map/projection";
import type { Arrows } from "../../../src/scene/scene";
import { Store } from "../../../src/state";
import { MARKUP, madeScene, tensor } from "../../made_scene";

const SIZE = { width: 600, height: 400 };
const widthOf = (text: string) => 7 * text.length;

function drawn(arrows: Arrows | null, isShown = true): ArrowMarks {
  const scene = madeScene();
  const maps = [{ ...scene.maps[0], arrows }];
  const context = { scene: { ...scene, maps }, store: new Store(), asker: null };
  const marks = new ArrowMarks(context);
  const projection = new Projection({ x: 2, y: 2, scale: 60 }, SIZE, null);
  marks.draw(projection, isShown, widthOf, []);
  return marks;
}

const ARROWS: Arrows = {
  origin: [2, 2],
  features: [MARKUP, "short"],
  vectors: tensor(Float32Array.of(0.5, 0, 0, -0.25), 2, 2),
};

/** Where an arrow begins and ends, in pixels. */
function ends(path: Element | null): number[] {
  const [from, to] = (path?.getAttribute("d") ?? "").split(/[ML]/).slice(1, 3);
  return `${from} ${to}`.split(" ").map(Number);
}

test("arrows go from the mean object to larger values, in proportion", () => {
  const [long, short] = drawn(ARROWS).el.querySelectorAll("g");
  const [ax, ay, bx, by] = ends(long.querySelector(".ls-arrow"));
  const [cx, cy, dx, dy] = ends(short.querySelector(".ls-arrow"));
  expect([ax, ay, cx, cy]).toEqual([300, 200, 300, 200]);
  expect(by).toBe(200);
  expect(dx).toBe(300);
  // The pixels of a page count downwards: less of y is below.
  expect(bx - ax).toBeGreaterThan(50);
  expect(dy - cy).toBeCloseTo((bx - ax) / 2, 0);
});

test("names are text, and say what an arrow means", () => {
  const [group] = drawn(ARROWS).el.querySelectorAll("g");
  expect(group.querySelector("img")).toBeNull();
  expect(group.querySelector("title")?.textContent).toContain("larger values");
  expect(group.getAttribute("aria-label")).toContain("is 0.5 on the map");
});

test("the map's own length is told where it is drawn stretched", () => {
  const scene = madeScene();
  const maps = [{ ...scene.maps[0], stretch: [1, 4] as const, arrows: ARROWS }];
  const context = { scene: { ...scene, maps }, store: new Store(), asker: null };
  const marks = new ArrowMarks(context);
  marks.draw(new Projection({ x: 2, y: 2, scale: 60 }, SIZE, null), true, widthOf, []);
  const [, down] = marks.el.querySelectorAll("g");
  expect(down.getAttribute("aria-label")).toContain("is 0.0625 on the map");
});

test("no arrows where the map has none, or nobody wants them", () => {
  expect(drawn(null).el.style.display).toBe("none");
  expect(drawn(ARROWS, false).el.style.display).toBe("none");
  expect(drawn(ARROWS).el.style.display).toBe("");
});

test("an arrow has two barbs behind its end", () => {
  expect(
    arrowPath([
      [0, 0],
      [20, 0],
    ]),
  ).toBe("M0.0 0.0L20.0 0.0M12.0 3.5L20.0 0.0L12.0 -3.5");
});

test("names stand beyond the ends, and none over another", () => {
  const from: Point = [300, 200];
  const ends: Point[] = [
    [400, 200],
    [398, 204],
    [200, 200],
    [300, 100],
  ];
  const names = arrowNames(
    ends.map((to) => ({ from, to, width: 50 })),
    SIZE,
  );
  expect(names.map((name) => name?.anchor)).toEqual([
    "start",
    "start",
    "end",
    "middle",
  ]);
  expect(names[0]?.x).toBeGreaterThan(400);
  expect(names[2]?.x).toBeLessThan(200);
  expect(names[3]?.y).toBeLessThan(100);
  expect(Math.abs((names[0]?.y ?? 0) - (names[1]?.y ?? 0))).toBeGreaterThanOrEqual(11);
});

test("a name without room, on the stage or beside others, is left out", () => {
  const from: Point = [300, 200];
  const outside = { from, to: [590, 200] as Point, width: 50 };
  expect(arrowNames([outside], SIZE)).toEqual([null]);
  const inside = { from, to: [400, 200] as Point, width: 50 };
  const taken = [{ left: 380, right: 480, top: 100, bottom: 300 }];
  expect(arrowNames([inside], SIZE, taken)).toEqual([null]);
});

test("a name that has no room above stands beside a steep arrow, off its point", () => {
  const steep = { from: [300, 100] as Point, to: [300, 16] as Point, width: 50 };
  const [name] = arrowNames([steep], SIZE);
  expect(name?.anchor).toBe("start");
  expect(name?.x).toBeGreaterThan(305);
});
