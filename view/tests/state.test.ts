import { expect, test, vi } from "vitest";
import { openObject, Store, toggleClass, togglePrototype } from "../src/state";

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

test("a class is hidden and shown again", () => {
  const store = new Store();
  toggleClass(store, 2);
  expect([...store.state.hiddenClasses]).toEqual([2]);
  toggleClass(store, 2);
  expect(store.state.hiddenClasses.size).toBe(0);
});

test("a chosen point is the object, unless another one is being looked at", () => {
  const store = new Store();
  store.set({ selection: Uint32Array.of(4) });
  expect(store.state.object).toBe(4);
  store.set({ selection: Uint32Array.of(2, 4) });
  expect(store.state.object).toBe(4);
  store.set({ selection: Uint32Array.of(6, 8) });
  expect(store.state.object).toBe(6);
  store.set({ selection: new Uint32Array() });
  expect(store.state.object).toBe(6);
  store.set({ selection: Uint32Array.of(1), object: 3 });
  expect(store.state.object).toBe(3);
  openObject(store, 9);
  store.set({ selection: Uint32Array.of(5) });
  expect(store.state.object).toBe(9);
  expect(new Store({ selection: Uint32Array.of(7) }).state.object).toBe(7);
});
