import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Context, Stage } from "../../src/context";
import type { Compressed, Scene } from "../../src/scene/scene";
import { ClassesStage } from "../../src/stages/classes_stage";
import { CompressedStage } from "../../src/stages/compressed_stage";
import { ObjectStage } from "../../src/stages/object_stage";
import { madeScene, tensor } from "../made_scene";
import { click, mounted, place } from "../mounted";

const scene = madeScene({ perClass: 2 });
const centers: Compressed = {
  positions: tensor(Float32Array.of(0, 0, 4, 0, 0, 3, 9, 9), 4, 2),
  labels: tensor(Uint8Array.of(0, 0, 1, 2), 4),
  counts: tensor(Uint32Array.of(2, 3, 1, 1), 4),
  member_of: tensor(Uint8Array.of(0, 1, 1, 2, 3, 0, 1), 7),
};

class Centers extends CompressedStage {
  constructor(el: HTMLElement, context: Context) {
    super(el, context, centers);
  }
}

type Kind = new (el: HTMLElement, context: Context) => Stage;
const LEVELS: readonly [string, Kind, string][] = [
  ["classes", ClassesStage, ".ls-prototype"],
  ["object", ObjectStage, ".ls-prototype"],
  ["compressed data", Centers, ".ls-cluster"],
];

let isStill: boolean;
beforeEach(() => {
  isStill = true;
  vi.stubGlobal("matchMedia", () => ({ matches: isStill }));
});
afterEach(() => vi.unstubAllGlobals());

function shown(Kind: Kind, given: Scene = scene) {
  const made = mounted(Kind, given, { object: 4 });
  const stage = made.panel as Stage;
  const bend = () => made.store.set({ disc: stage.usualDisc() });
  const rim = () => {
    const circle = made.el.querySelector(".ls-rim");
    return ["cx", "cy", "r"].map((name) => Number(circle?.getAttribute(name)));
  };
  return { ...made, stage, bend, rim };
}

test.each(LEVELS)("on level %s, all marks lie inside the disc", (_, Kind, marks) => {
  const { el, bend, rim, store } = shown(Kind);
  const flat = Array.from(el.querySelectorAll(marks), place);
  expect(el.querySelector(".ls-rim")).toBeNull();
  bend();
  const [cx, cy, r] = rim();
  expect(r).toBeGreaterThan(50);
  for (const mark of el.querySelectorAll(marks)) {
    const [x, y] = place(mark);
    expect(Math.hypot(x - cx, y - cy)).toBeLessThan(r);
  }
  store.set({ disc: null });
  expect(Array.from(el.querySelectorAll(marks), place)).toEqual(flat);
  expect(el.querySelector(".ls-rim")).toBeNull();
});

test.each(LEVELS)(
  "on level %s, what is clicked comes to the middle",
  (_, Kind, marks) => {
    const { el, bend, rim } = shown(Kind);
    bend();
    const [cx, cy] = rim();
    el.querySelectorAll(marks)[1].setAttribute("id", "wanted");
    click(el, "#wanted");
    const [x, y] = place(el.querySelector("#wanted"));
    expect(Math.hypot(x - cx, y - cy)).toBeLessThan(0.2);
  },
);

test.each(LEVELS)(
  "on level %s, without the disc a click moves nothing",
  (_, Kind, marks) => {
    const { el, store } = shown(Kind);
    const before = Array.from(el.querySelectorAll(marks), place);
    click(el, marks);
    expect(Array.from(el.querySelectorAll(marks), place)).toEqual(before);
    expect(store.state.disc).toBeNull();
  },
);

test("a click beside the marks brings that place to the middle, and 0 goes home", () => {
  const { el, bend, rim, store, stage } = shown(ClassesStage);
  bend();
  const [cx, cy] = rim();
  const root = el.querySelector(".ls-svg-stage") as HTMLElement;
  for (const type of ["pointerdown", "pointerup"]) {
    const at = { clientX: cx + 60, clientY: cy + 20, button: 0, bubbles: true };
    root.dispatchEvent(new PointerEvent(type, at));
  }
  const moved = store.state.disc;
  expect(moved?.focus).not.toEqual(stage.usualDisc().focus);
  root.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
  expect(store.state.disc).toEqual(stage.usualDisc());
});

test("the circles of an object stay circles in the disc, through their prototypes", () => {
  const { el, bend } = shown(ObjectStage);
  bend();
  el.querySelectorAll(".ls-prototype")[0].setAttribute("id", "wanted");
  click(el, "#wanted");
  const marks = Array.from(el.querySelectorAll(".ls-prototype"), place);
  const circles = Array.from(el.querySelectorAll(".ls-circle"), (circle) =>
    ["cx", "cy", "r"].map((name) => Number(circle.getAttribute(name))),
  );
  expect(circles).toHaveLength(3);
  circles.forEach(([cx, cy, r], k) => {
    const [x, y] = marks[k];
    expect(Math.abs(Math.hypot(x - cx, y - cy) - r)).toBeLessThan(0.3);
  });
  expect(el.textContent).toContain("the numbers are exact");
});

test("without an object there is no disc around nothing", () => {
  const { el, store, panel } = mounted(ObjectStage, scene);
  store.set({ disc: (panel as Stage).usualDisc() });
  expect(el.querySelector(".ls-rim")).toBeNull();
  store.set({ object: 4 });
  expect(el.querySelector(".ls-rim")).not.toBeNull();
});

test("another object is shown around its own middle", () => {
  const { bend, store, stage } = shown(ObjectStage);
  bend();
  const first = store.state.disc;
  store.set({ object: 0 });
  expect(store.state.disc).toEqual(stage.usualDisc());
  expect(store.state.disc?.strength).not.toBe(first?.strength);
});

test("bending is a motion: on its way each mark is between where it was and will be", () => {
  isStill = false;
  const frames: (() => void)[] = [];
  let now = 0;
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
  vi.stubGlobal("performance", { now: () => now });
  const { el, bend } = shown(ClassesStage);
  const where = () => place(el.querySelector(".ls-prototype"));
  const before = where();
  bend();
  expect(where()).toEqual(before);
  now = 300;
  frames.pop()?.();
  const half = where();
  now = 600;
  frames.pop()?.();
  const after = where();
  expect(after).not.toEqual(before);
  half.forEach((value, k) => {
    expect(value).toBeCloseTo((before[k] + after[k]) / 2, 0);
  });
});
