import { expect, test, vi } from "vitest";
import { LightsBar } from "../../src/panels/lights_bar";
import { Store } from "../../src/state";
import { bareScene, madeScene } from "../made_scene";
import { mounted } from "../mounted";

const states = (el: HTMLElement) =>
  Array.from(el.querySelectorAll("li"), (light) => light.dataset.light);

test("the lights are those of the shown map, and are gone where there is no map", () => {
  const scene = madeScene();
  const other = { ...scene.maps[0], honesty: null };
  const { el, store } = mounted(LightsBar, { ...scene, maps: [scene.maps[0], other] });
  expect(states(el)).toEqual(["good", "fair"]);
  store.set({ map: 1 });
  expect(states(el)).toEqual(["none", "none"]);
  store.set({ level: "classes" });
  expect(el.hidden).toBe(true);
});

test("a button measures what was not tested, where somebody can", () => {
  const el = document.createElement("div");
  const measure = vi.fn();
  const context = { scene: bareScene(), store: new Store(), asker: null, measure };
  const bar = new LightsBar(el, context);
  const button = el.querySelector("button") as HTMLButtonElement;
  expect(button.hidden).toBe(true);
  bar.judging({ isPossible: true, words: "" });
  expect([button.hidden, button.textContent]).toEqual([false, "Measure"]);
  button.click();
  expect(measure).toHaveBeenCalledOnce();
  bar.judging({ isPossible: false, words: "Fit 3 of 8" });
  expect(button.hidden).toBe(true);
  expect(el.querySelector("[role=status]")?.textContent).toBe("Fit 3 of 8");
});

test("a page without Python has no button", () => {
  const { el, panel } = mounted(LightsBar, bareScene());
  (panel as LightsBar).judging({ isPossible: true, words: "" });
  expect(el.querySelector("button")?.hidden).toBe(true);
});
