import { expect, test, vi } from "vitest";
import { choose, openObject, Store, togglePrototype } from "../src/state";

test("listeners hear what is now and what was before", () => {
  const store = new Store();
  const heard = vi.fn();
  const stop = store.on(heard);
  store.set({ map: 1 });
  expect(heard).toHaveBeenCalledOnce();
  const [state, before] = heard.mock.calls[0];
  expect([state.map, before.map]).toEqual([1, 0]);
  stop();
  store.set({ map: 2 });
  expect(heard).toHaveBeenCalledOnce();
});

test("what stays equal tells nobody", () => {
  const store = new Store({ colorBy: "certainty" });
  const heard = vi.fn();
  store.on(heard);
  store.set({ colorBy: "certainty", map: 0 });
  expect(heard).not.toHaveBeenCalled();
});

test("an opened object is shown with its page", () => {
  const store = new Store();
  openObject(store, 7);
  expect(store.state).toMatchObject({ object: 7, level: "object", tab: "object" });
});

test("prototypes are kept in the order of choice, and put back", () => {
  const store = new Store();
  togglePrototype(store, 4);
  togglePrototype(store, 1);
  expect(store.state.prototypes).toEqual([4, 1]);
  togglePrototype(store, 4);
  expect(store.state.prototypes).toEqual([1]);
});

test("a chosen point is the object, unless another one is being looked at", () => {
  const store = new Store();
  choose(store, Uint32Array.of(4));
  expect(store.state.object).toBe(4);
  choose(store, Uint32Array.of(2, 4));
  expect(store.state.object).toBe(4);
  choose(store, Uint32Array.of(6, 8));
  expect(store.state.object).toBe(6);
  choose(store, new Uint32Array());
  expect(store.state.object).toBe(6);
  choose(store, Uint32Array.of(1), { object: 3 });
  expect(store.state.object).toBe(3);
  openObject(store, 9);
  choose(store, Uint32Array.of(5));
  expect(store.state.object).toBe(9);
  expect(new Store({ selection: Uint32Array.of(7) }).state.object).toBe(7);
});

test("what watches some values is drawn at once, and when one of them changes", () => {
  const store = new Store();
  const draw = vi.fn();
  store.watch(["map", "level"], draw);
  store.set({ tool: "lasso" });
  expect(draw).toHaveBeenCalledOnce();
  store.set({ level: "classes" });
  expect(draw).toHaveBeenLastCalledWith(store.state);
  expect(draw).toHaveBeenCalledTimes(2);
  store.tell({ map: 3 });
  expect(draw).toHaveBeenCalledTimes(3);
});
