import { expect, test } from "vitest";
import { cameraFor } from "../../src/map/camera";
import { CameraControl } from "../../src/map/camera_control";
import { DiscFocus } from "../../src/map/disc_focus";
import { bounds } from "../../src/map/geometry";
import { Grid } from "../../src/map/grid";
import { Projection } from "../../src/map/projection";
import { MapInput } from "../../src/stages/map_input";
import { Store } from "../../src/state";
import { madeScene } from "../made_scene";

test("with Shift, arrows go from point to point; Enter chooses, then opens", () => {
  const scene = madeScene();
  const store = new Store();
  const positions = Float32Array.of(0, 0, 1, 0, 2, 0);
  const size = { width: 400, height: 400 };
  const camera = cameraFor(bounds(positions), size);
  const el = document.createElement("div");
  const projection = () => new Projection(camera, size, null);
  const input = new MapInput(
    el,
    { scene, store, asker: null },
    {
      cameraControl: new CameraControl(() => {}),
      discFocus: new DiscFocus(store, {
        base: [0, 0],
        places: () => positions,
        projection,
      }),
      isSolid: false,
      projection,
      pickable: () => ({
        grid: new Grid(positions),
        shown: positions,
        states: new Uint8Array(3),
      }),
      home: () => camera,
      whole: () => camera,
      goHome: () => {},
      showPath: () => {},
    },
  );
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
