import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Point } from "../../src/geometry/plane";
import { placeOf } from "../../src/geometry/plane";
import { usualDisc } from "../../src/map/hyperbolic";
import { pointAt } from "../../src/map/picking";
import { neighborsOf } from "../../src/scene/neighbors";
import type { Regions, Scene } from "../../src/scene/scene";
import { DataStage } from "../../src/stages/data_stage";
import { type State, Store } from "../../src/state";
import { madeScene, tensor, weighed } from "../made_scene";
import { place } from "../mounted";

const SIZE = { width: 600, height: 400 };

let el: HTMLElement;
let store: Store;
let stage: DataStage;
let resized: () => void;

beforeEach(() => {
  // People who asked for less motion are brought everywhere at once.
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("reduced-motion"),
  }));
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => {
    draw();
    return 0;
  });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(changed: () => void) {
        resized = changed;
      }
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  stage.destroy();
  vi.unstubAllGlobals();
});

/** Two maps of the same points, the second one shifted, and prototypes on the first. */
function twoMaps(): Scene {
  const scene = madeScene();
  const [map] = scene.maps;
  const { data, shape } = map.positions;
  const prototypes = tensor(data.slice(0, 6), 3, 2);
  const shifted = tensor(
    data.map((value) => value + 50),
    ...shape,
  );
  return {
    ...scene,
    maps: [
      { ...map, prototypes },
      { ...map, name: "Other", positions: shifted },
    ],
  };
}

function show(scene: Scene, state: Partial<State> = {}): void {
  el = document.createElement("div");
  resize(SIZE);
  document.body.replaceChildren(el);
  store = new Store({ theme: "light", ...state });
  stage = new DataStage(el, { scene, store, asker: null });
  store.on((now, before) => stage.update(now, before));
}

function resize({ width, height }: typeof SIZE): void {
  Object.defineProperty(el, "clientWidth", { value: width, configurable: true });
  Object.defineProperty(el, "clientHeight", { value: height, configurable: true });
}

/** Pixels of all points. */
function pixels(): Point[] {
  const { positions } = stage.pickable().grid;
  return Array.from({ length: positions.length / 2 }, (_, i) =>
    stage.places.projection().screen(placeOf(positions, i)),
  );
}

function areOnStage(): boolean {
  const { width, height } = stage.cameraControl.size;
  return pixels().every(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height);
}

test("the whole map is on the stage, and each point is found where it is drawn", () => {
  show(madeScene());
  expect(stage.cameraControl.size).toEqual(SIZE);
  expect(areOnStage()).toBe(true);
  const found = pixels().map((at) =>
    pointAt(stage.pickable(), stage.places.projection(), at),
  );
  expect(found).toEqual(Array.from(found.keys()));
});

test("points far out are told of, and a click shows them; another goes back", () => {
  const scene = madeScene({ n: 60 });
  const [map] = scene.maps;
  const far = map.positions.data.slice();
  far.set([500, 500], 4);
  show({ ...scene, maps: [{ ...map, positions: tensor(far, 60, 2) }] });
  const mark = el.querySelector<HTMLButtonElement>(".ls-further");
  expect(mark?.hidden).toBe(false);
  expect(mark?.textContent).toBe("1 farther out");
  expect(areOnStage()).toBe(false);
  mark?.click();
  expect(areOnStage()).toBe(true);
  expect(mark?.textContent).toBe("Back to the middle");
  mark?.click();
  expect(stage.cameraControl.camera).toEqual(stage.places.home());
  expect(mark?.textContent).toBe("1 farther out");
  store.set({ disc: usualDisc(far) });
  expect(mark?.hidden).toBe(true);
});

test("where no point is far out, nothing is said of it", () => {
  show(madeScene());
  expect(el.querySelector<HTMLElement>(".ls-further")?.hidden).toBe(true);
});

test("in a drawing of vectors, regions are paths and classes have their shapes", async () => {
  const scene = madeScene({ nClasses: 13, n: 65 });
  const [map] = scene.maps;
  const cells = (value: (k: number) => number) =>
    tensor(
      Uint8Array.from({ length: 64 }, (_, k) => value(k)),
      8,
      8,
    );
  const regions = {
    box: [-1, -1, 5, 5],
    labels: cells((k) => (k % 8 < 4 ? 0 : 12)),
    certainty: cells(() => 200),
    support: cells((k) => (k < 8 ? 0 : 1)),
    agreement: 1,
    words: "",
  } as unknown as Regions;
  show({ ...scene, maps: [{ ...map, regions }] });
  const drawn = await stage.drawing(true);
  expect(drawn.querySelector("image")).toBeNull();
  const fills = Array.from(drawn.querySelectorAll("path[fill-rule]"), (path) =>
    path.getAttribute("fill"),
  );
  // One of two classes has an area, and what is far from data is paler and hatched.
  expect(new Set(fills).size).toBe(3);
  expect(fills).toContain("url(#ls-far)");
  // Five points of the thirteenth class are squares, with an edge each.
  expect(drawn.querySelectorAll("polygon")).toHaveLength(10);
});

test("where the browser has no WebGL, the stage says so", () => {
  show(madeScene());
  expect(el.querySelector(".ls-notice")?.textContent).toContain("no WebGL");
});

test("another map is shown as a whole, with its own points", () => {
  const scene = twoMaps();
  show(scene);
  store.set({ map: 1 });
  expect(stage.pickable().grid.positions).toBe(scene.maps[1].positions.data);
  expect(areOnStage()).toBe(true);
});

test("points of hidden classes are not found", () => {
  show(madeScene());
  const [at] = pixels();
  store.set({ hiddenClasses: new Set([0]) });
  expect(pointAt(stage.pickable(), stage.places.projection(), at, 1)).toBe(-1);
});

test("chosen points come to the middle, but not too near", () => {
  show(madeScene());
  const { scale } = stage.places.home();
  stage.goTo(Uint32Array.of(7));
  const [x, y] = pixels()[7];
  expect([x, y]).toEqual([
    expect.closeTo(SIZE.width / 2, 3),
    expect.closeTo(SIZE.height / 2, 3),
  ]);
  expect(stage.cameraControl.camera.scale).toBeCloseTo(4 * scale, 6);
  stage.goTo(new Uint32Array());
  expect(stage.cameraControl.camera.scale).toBeCloseTo(4 * scale, 6);
  stage.goHome();
  expect(stage.cameraControl.camera).toEqual(stage.places.home());
});

test("in the disc all points lie inside it, and a wanted one comes to its middle", () => {
  const scene = madeScene();
  show(scene, { disc: usualDisc(scene.maps[0].positions.data) });
  const radii = () => {
    const { shown } = stage.pickable();
    return Array.from({ length: shown.length / 2 }, (_, i) =>
      Math.hypot(...placeOf(shown, i)),
    );
  };
  expect(Math.max(...radii())).toBeLessThan(1);
  stage.goTo(Uint32Array.of(7));
  expect(radii()[7]).toBeCloseTo(0, 5);
  expect(pointAt(stage.pickable(), stage.places.projection(), pixels()[7])).toBe(7);
  store.set({ disc: null });
  expect(stage.pickable().shown).toBe(scene.maps[0].positions.data);
});

test("another map in the disc is shown around its own middle", () => {
  const scene = twoMaps();
  show(scene, { disc: usualDisc(scene.maps[0].positions.data) });
  store.set({ map: 1 });
  expect(store.state.disc).toEqual(usualDisc(scene.maps[1].positions.data));
});

test("a map that is being made takes the place of the scene's until it is done", () => {
  const scene = twoMaps();
  show(scene);
  const marks = () =>
    [...el.querySelectorAll<SVGElement>(".ls-prototype")].filter(
      ({ style }) => style.display !== "none",
    ).length;
  store.set({ hover: 0 });
  expect(marks()).toBe(3);
  const forming = Float32Array.from({ length: 120 }, (_, i) => i * i);
  stage.form(forming);
  expect(stage.pickable().grid.positions).toBe(forming);
  expect(areOnStage()).toBe(true);
  expect(marks()).toBe(0);
  stage.form(null);
  expect(stage.pickable().grid.positions).toBe(scene.maps[0].positions.data);
  expect(marks()).toBe(3);
});

test("prototypes stand where the map has them, and go with their class", () => {
  show(twoMaps());
  store.set({ hover: 0 });
  const mark = (k: number) =>
    el.querySelector<SVGElement>(`.ls-prototype[data-prototype="${k}"]`);
  const [x, y] = pixels()[1];
  expect(place(mark(1))).toEqual([expect.closeTo(x, 0), expect.closeTo(y, 0)]);
  store.set({ hiddenClasses: new Set([1]) });
  expect([0, 1, 2].map((k) => mark(k)?.style.display)).toEqual(["", "none", ""]);
});

test("the tooltip tells of the point under the pointer", () => {
  show(madeScene());
  const tooltip = el.querySelector<HTMLElement>(".ls-tooltip");
  store.set({ hover: 5 });
  expect(tooltip?.hidden).toBe(false);
  expect(tooltip?.textContent).toContain("object 5");
  store.set({ hover: null });
  expect(tooltip?.hidden).toBe(true);
});

test("a larger stage shows the same part of the map, larger", () => {
  show(madeScene());
  stage.goTo(Uint32Array.of(7));
  const { scale } = stage.cameraControl.camera;
  const before = stage.places.home().scale;
  resize({ width: 1200, height: 800 });
  resized();
  expect(stage.cameraControl.size.width).toBe(1200);
  expect(stage.cameraControl.camera.scale / stage.places.home().scale).toBeCloseTo(
    scale / before,
    6,
  );
  expect(pixels()[7][0]).toBeCloseTo(600, 3);
});

test("the stage says which tool is in hand, and leaves nothing behind", () => {
  show(madeScene());
  store.set({ tool: "lasso" });
  expect(el.dataset.tool).toBe("lasso");
  stage.destroy();
  expect(el.childElementCount).toBe(0);
});

test("neighbours that lie off the stage are brought onto it when they are linked", () => {
  const weights = new Float64Array(5).fill(1);
  const scene = { ...madeScene(), neighbors: weighed("data", weights) };
  show(scene, { tab: "object", object: 0 });
  const [x, y] = placeOf(scene.maps[0].positions.data, 0);
  const near = neighborsOf(scene, 0, "data").map(({ point }) => point);
  const areShown = () => {
    const all = pixels();
    return near.every((point) => {
      const [px, py] = all[point];
      return px >= 0 && py >= 0 && px <= SIZE.width && py <= SIZE.height;
    });
  };
  stage.cameraControl.set({ x, y, scale: 100 * stage.places.home().scale });
  expect(areShown()).toBe(false);
  store.set({ links: true });
  expect(areShown()).toBe(true);
});

/** A map of three dimensions, and a flat one. */
function withDepth(): Scene {
  const scene = madeScene({ n: 60 });
  const [map] = scene.maps;
  const depths = Float32Array.from({ length: 60 }, (_, i) => Math.sin(7 * i));
  const solid = {
    ...map,
    prototypes: tensor(map.positions.data.slice(0, 6), 3, 2),
    depth: { points: tensor(depths), prototypes: tensor(depths.slice(0, 3)) },
  };
  return { ...scene, maps: [solid, { ...map, name: "Flat" }] };
}

function drag(from: Point, to: Point, { buttons = 1, button = 0, ...more } = {}): void {
  const send = (type: string, [clientX, clientY]: Point) =>
    el.dispatchEvent(
      new PointerEvent(type, {
        clientX,
        clientY,
        button,
        buttons,
        pointerId: 1,
        ...more,
      }),
    );
  el.setPointerCapture = () => {};
  send("pointerdown", from);
  send("pointermove", [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
  send("pointermove", to);
  send("pointerup", to);
}

test("a drag turns a map of three dimensions; points are found where they went", () => {
  show(withDepth());
  const before = pixels();
  const { camera } = stage.cameraControl;
  drag([100, 100], [180, 120]);
  expect(stage.cameraControl.camera).toEqual(camera);
  expect(pixels()).not.toEqual(before);
  const found = pixels().map((at) =>
    pointAt(stage.pickable(), stage.places.projection(), at, 0.5),
  );
  const isThere = (point: number, i: number) => {
    const [a, b] = [pixels()[point], pixels()[i]];
    return Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.6;
  };
  expect(found.every(isThere)).toBe(true);
});

test("the first object of a prototype's place stays with it, however it is turned", () => {
  show(withDepth());
  drag([100, 100], [180, 120]);
  const marks = Array.from(el.querySelectorAll<SVGElement>(".ls-prototype"), place);
  marks.forEach(([x, y], k) => {
    expect(x).toBeCloseTo(pixels()[k][0], 0);
    expect(y).toBeCloseTo(pixels()[k][1], 0);
  });
});

test("the right button moves what the left one turns, and chooses nothing", () => {
  show(withDepth());
  const [before, { turn }] = [pixels(), store.state];
  drag([100, 100], [130, 110], { buttons: 2, button: 2 });
  expect(store.state.turn).toBe(turn);
  expect(pixels()[3][0]).toBeCloseTo(before[3][0] + 30, 3);
  expect(store.state.selection).toHaveLength(0);
});

test("arrows turn, and the first view comes back with a key", () => {
  show(withDepth());
  const before = pixels();
  const press = (key: string) =>
    el.dispatchEvent(new KeyboardEvent("keydown", { key }));
  press("ArrowRight");
  expect(pixels()).not.toEqual(before);
  press("0");
  expect(pixels()).toEqual(before);
});

test("with Shift, a line is drawn around points as they are seen", () => {
  show(withDepth());
  drag([100, 100], [180, 120]);
  store.set({ tool: "box" });
  drag([0, 0], [600, 400]);
  expect(store.state.selection).toHaveLength(60);
});

test("a flat map lies still, and has no axes; the disc is for it alone", () => {
  show(withDepth(), { disc: usualDisc(madeScene({ n: 60 }).maps[0].positions.data) });
  expect(el.querySelectorAll(".ls-axes line")).toHaveLength(3);
  expect(stage.places.projection().disc).toBeNull();
  store.set({ map: 1 });
  expect(el.querySelectorAll(".ls-axes line")).toHaveLength(0);
  expect(stage.places.projection().disc).not.toBeNull();
  store.set({ disc: null });
  const { turn } = store.state;
  drag([100, 100], [180, 120]);
  expect(store.state.turn).toBe(turn);
});

test("a drawing of a turned map holds its points in order, and its axes", async () => {
  show(withDepth());
  drag([100, 100], [180, 120]);
  const drawn = await stage.drawing(true);
  expect(drawn.querySelectorAll("line")).toHaveLength(3);
  expect(drawn.querySelectorAll("g circle").length).toBeGreaterThanOrEqual(60);
});

test("two fingers move and zoom a map that one finger turns", () => {
  show(withDepth());
  const [before, { turn }] = [pixels(), store.state];
  const send = (type: string, pointerId: number, clientX: number) =>
    el.dispatchEvent(
      new PointerEvent(type, {
        clientX,
        clientY: 100,
        pointerId,
        button: 0,
        buttons: 1,
      }),
    );
  send("pointerdown", 1, 100);
  send("pointerdown", 2, 200);
  send("pointermove", 1, 120);
  send("pointermove", 2, 220);
  send("pointerup", 1, 120);
  send("pointerup", 2, 220);
  expect(store.state.turn).toBe(turn);
  expect(pixels()[3][0]).toBeCloseTo(before[3][0] + 20, 3);
});
