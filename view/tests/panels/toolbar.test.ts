import { afterEach, expect, test } from "vitest";
import type { Scene } from "../../src/scene/scene";
import { type State, Store } from "../../src/state";
import { View } from "../../src/view";
import { madeScene } from "../made_scene";

let view: View;

function opened(state: Partial<State> = {}, scene: Scene = madeScene()) {
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  const store = new Store({ theme: "light", ...state });
  view = new View(el, { scene, store, asker: null }, 400);
  const input = el.querySelector(".ls-search") as HTMLInputElement;
  const search = (words: string) => {
    input.value = words;
    const submit = new Event("submit", { cancelable: true, bubbles: true });
    input.form?.dispatchEvent(submit);
  };
  const answer = () => el.querySelector(".ls-answer")?.textContent;
  return { el, store, input, search, answer };
}

afterEach(() => view.destroy());

test("on the level of an object, a search shows the first that it finds", () => {
  const { el, store, search } = opened({ level: "object", object: 4 });
  search("object 21");
  expect([...store.state.selection]).toEqual([21]);
  expect(store.state.object).toBe(21);
  const center = el.querySelector(".ls-center");
  expect(center?.getAttribute("aria-label")).toBe("Point object 21");
});

test("an object that is found itself stays", () => {
  const { store, search } = opened({ level: "object", object: 4 });
  search("class = class 1");
  expect(store.state.selection).toContain(4);
  expect(store.state.object).toBe(4);
  search("");
  expect(store.state.object).toBe(4);
});

test("what a search could not find is told until something else is asked or chosen", () => {
  const { store, search, answer, input } = opened();
  search("nobody");
  expect(answer()).toBe("Nothing found.");
  store.set({ hover: 3 });
  expect(answer()).toBe("Nothing found.");
  store.set({ selection: Uint32Array.of(3) });
  expect(answer()).toBe("");
  search("nobody");
  input.dispatchEvent(new Event("input"));
  expect(answer()).toBe("");
});

test("the example of a search is a column whose values differ", () => {
  const scene = madeScene();
  const [first, ...others] = scene.features;
  const features = [{ ...first, name: "same", low: 2, high: 2 }, ...others];
  const { input } = opened({}, { ...scene, features });
  expect(input.placeholder).toMatch(/^id, or feature 1 > /);
});
