import { expect, test, vi } from "vitest";
import { CameraControl } from "../../src/map/camera";
import { DiscFocus } from "../../src/map/disc_focus";
import { MapInput } from "../../src/stages/map_input";
import { MapPlaces } from "../../src/stages/map_places";
import { Store, type Tool } from "../../src/state";
import { madeScene, tensor } from "../made_scene";

function listening(tool: Tool = "pan") {
  const made = madeScene({ n: 3 });
  const [map] = made.maps;
  const places = tensor(Float32Array.of(0, 0, 1, 0, 2, 0), 3, 2);
  const scene = { ...made, maps: [{ ...map, positions: places }] };
  const store = new Store({ tool });
  const context = { scene, store, asker: null };
  const el = document.createElement("div");
  const cameraControl = new CameraControl(() => {});
  const ground = new MapPlaces(context, cameraControl);
  cameraControl.size = { width: 400, height: 400 };
  cameraControl.set(ground.home());
  const showPath = vi.fn();
  const input = new MapInput(el, context, {
    cameraControl,
    discFocus: new DiscFocus(store, ground),
    places: ground,
    pickable: () => ({
      grid: ground.grid,
      shown: ground.shown,
      states: new Uint8Array(3),
    }),
    goHome: () => {},
    showPath,
  });
  return { el, store, input, showPath };
}

test("with Shift, arrows go from point to point; Enter chooses, then opens", () => {
  const { el, store, input } = listening();
  const press = (key: string, shiftKey = false) =>
    el.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
  press("ArrowRight", true);
  expect(store.state.hover).toBe(2);
  press("ArrowLeft", true);
  press("Enter");
  expect([...store.state.selection]).toEqual([1]);
  press("Enter");
  expect(store.state).toMatchObject({ object: 1, level: "object" });
  input.destroy();
});

test("a click opens the point; with Shift it only chooses more of them", () => {
  const { store, input } = listening();
  input.click([200, 200], new MouseEvent("click"));
  expect(store.state).toMatchObject({ object: 1, tab: "object", level: "data" });
  expect([...store.state.selection]).toEqual([1]);
  store.set({ tab: "summary" });
  input.hover([380, 200]);
  expect(store.state.hover).toBe(2);
  input.click([380, 200], new MouseEvent("click", { shiftKey: true }));
  expect([...store.state.selection]).toEqual([1, 2]);
  expect(store.state.tab).toBe("selection");
  input.destroy();
});

test("a box that is given up is not drawn any more", () => {
  const { input, showPath } = listening("box");
  input.draw([
    [1, 2],
    [5, 9],
  ]);
  expect(showPath.mock.lastCall?.[0]).toHaveLength(4);
  input.draw([]);
  expect(showPath.mock.lastCall?.[0]).toEqual([]);
  input.destroy();
});
