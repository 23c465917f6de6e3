import { expect, test } from "vitest";
import { onSuspectKey } from "../../../src/panels/summary/suspects_section";
import { Store } from "../../../src/state";
import { audited } from "../../audited";
import { madeScene } from "../../made_scene";

function pressing(scene = audited()) {
  const store = new Store({ tab: "quality" });
  const press = (key: string, more: KeyboardEventInit = {}, target?: HTMLElement) => {
    const event = new KeyboardEvent("keydown", { key, cancelable: true, ...more });
    target?.dispatchEvent(event);
    onSuspectKey({ scene, store, asker: null }, event);
    return event;
  };
  return { store, press };
}

test("N and P go round the suspects, the most suspicious first", () => {
  const { store, press } = pressing();
  const visited = ["n", "n", "n", "n", "p", "p"].map((key) => {
    press(key);
    return store.state.selection[0];
  });
  expect(visited).toEqual([31, 6, 20, 31, 20, 6]);
  expect(store.state.tab).toBe("summary");
});

test("K keeps, R changes, and both go on to the next that is open; U takes back", () => {
  const { store, press } = pressing();
  press("n");
  press("k");
  press("r");
  expect(store.state.decisions).toEqual([
    { rows: Uint32Array.of(31), label: "class 1" },
    { rows: Uint32Array.of(6), label: "class 1" },
  ]);
  expect([...store.state.selection]).toEqual([20]);
  press("n");
  expect([...store.state.selection]).toEqual([20]);
  press("u");
  expect(store.state.decisions).toHaveLength(1);
  expect([...store.state.selection]).toEqual([6]);
});

test("keys are left alone beside others, where one writes, and without suspects", () => {
  const { store, press } = pressing();
  expect(press("n", { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(press("n", {}, document.createElement("input")).defaultPrevented).toBe(false);
  expect(press("x").defaultPrevented).toBe(false);
  press("k");
  expect(store.state.decisions).toHaveLength(0);
  expect(pressing(madeScene()).press("n").defaultPrevented).toBe(false);
});
