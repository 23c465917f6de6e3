import { beforeAll, expect, test } from "vitest";
import { TablePanel } from "../../src/panels/table_panel";
import { columnedScene } from "../columned";
import { madeScene } from "../made_scene";
import { click, type Mounted, mounted } from "../mounted";

beforeAll(() => {
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});

function opened(scene = columnedScene(), state = {}): Mounted<TablePanel> {
  return mounted(TablePanel, scene, { tab: "table", ...state });
}

function points(el: HTMLElement): number[] {
  return Array.from(el.querySelectorAll("[data-point]"), (row) =>
    Number(row.getAttribute("data-point")),
  );
}

function press(el: HTMLElement, key: string): void {
  el.querySelector("[role=grid]")?.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true }),
  );
}

test("all rows are told, and only those in sight are drawn", () => {
  const { el } = opened(madeScene({ n: 6000 }));
  expect(el.querySelector("[role=status]")?.textContent).toBe("6,000 rows");
  expect(el.querySelector("[role=grid]")?.getAttribute("aria-rowcount")).toBe("6001");
  expect(points(el).length).toBeLessThan(60);
  expect(points(el)[0]).toBe(0);
});

test("nothing is drawn before somebody looks", () => {
  const { el, store } = mounted(TablePanel, columnedScene(), { tab: "quality" });
  expect(el.querySelector("[role=grid]")).toBeNull();
  store.set({ tab: "table" });
  expect(points(el).length).toBeGreaterThan(5);
});

test("a click on a column sorts by it, the next one the other way, a third not", () => {
  const { el } = opened();
  click(el, "[data-column=class]");
  expect(points(el).slice(0, 3)).toEqual([0, 3, 6]);
  expect(el.querySelector("[aria-sort=ascending]")?.textContent).toContain("class");
  click(el, "[data-column=class]");
  expect(points(el)[0] % 3).toBe(2);
  click(el, "[data-column=class]");
  expect(points(el).slice(0, 3)).toEqual([0, 1, 2]);
});

test("chosen rows stand alone, or are marked among all", () => {
  const { el, store } = opened();
  store.set({ selection: Uint32Array.of(4, 9) });
  expect(points(el)).toEqual([4, 9]);
  expect(el.querySelector("[role=status]")?.textContent).toBe("2 of 60 rows");
  click(el, "[data-key='Rows:all']");
  expect(points(el).slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  expect(el.querySelectorAll("[aria-selected=true]")).toHaveLength(2);
});

test("a click opens the object, with Ctrl it chooses the row", () => {
  const { el, store } = opened();
  el.querySelector("[data-point='3']")?.dispatchEvent(
    new MouseEvent("click", { bubbles: true, ctrlKey: true }),
  );
  expect([...store.state.selection]).toEqual([3]);
  click(el, "[data-point='3']");
  expect(store.state.object).toBe(3);
  expect(store.state.tab).toBe("object");
});

test("the first row that is chosen here stays among all the others", () => {
  const { el, store } = opened();
  press(el, "ArrowDown");
  press(el, " ");
  expect([...store.state.selection]).toEqual([1]);
  expect(points(el).slice(0, 3)).toEqual([0, 1, 2]);
  expect(el.querySelector("[role=status]")?.textContent).toBe("60 rows");
  expect(el.querySelectorAll("[aria-selected=true]")).toHaveLength(1);
  const all = el.querySelector("[data-key='Rows:all']");
  expect(all?.getAttribute("aria-pressed")).toBe("true");
});

test("classes are sorted as people list them", () => {
  const classes = ["kind 1", "kind 10", "kind 2"];
  const { el } = opened({ ...columnedScene(), classes });
  click(el, "[data-column=class]");
  click(el, "[data-column=class]");
  expect(points(el)[0] % 3).toBe(1);
});

test("rows are reached, chosen and opened by keys", () => {
  const { el, store } = opened();
  press(el, "ArrowDown");
  press(el, "ArrowDown");
  expect(store.state.hover).toBe(2);
  const active = el.querySelector("[role=grid]")?.getAttribute("aria-activedescendant");
  expect(el.querySelector(`#${active}`)?.getAttribute("data-point")).toBe("2");
  press(el, "End");
  expect(store.state.hover).toBe(59);
  press(el, "Home");
  press(el, "Enter");
  expect(store.state.object).toBe(0);
});

test("names that try to be markup stay text", () => {
  const { el } = opened(madeScene());
  expect(el.querySelector("img")).toBeNull();
});

function add(el: HTMLElement, name: string): void {
  click(el, "button[aria-label=Histograms]");
  const options = [...el.querySelectorAll<HTMLElement>("[role=option]")];
  options.find(({ textContent }) => textContent === name)?.click();
}

function bar(el: HTMLElement, column: string, k: number): Element {
  const found = el.querySelector(`figure[data-column=${column}] [data-bin='${k}']`);
  if (!found) {
    throw new Error(`No bar ${k} of ${column}`);
  }
  return found;
}

function pressBar(el: HTMLElement, column: string, k: number): void {
  bar(el, column, k).dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", bubbles: true }),
  );
}

test("bars of several histograms choose points together, and rows follow", () => {
  const { el, store } = opened();
  add(el, "colour");
  add(el, "batch");
  pressBar(el, "colour", 2);
  pressBar(el, "batch", 0);
  expect([...store.state.selection]).toEqual([2, 8]);
  expect(points(el)).toEqual([2, 8]);
  expect(bar(el, "colour", 2).getAttribute("data-chosen")).toBe("2");
  expect(bar(el, "colour", 2).getAttribute("aria-pressed")).toBe("true");
  pressBar(el, "batch", 0);
  expect(store.state.selection).toHaveLength(19);
});

test("what is chosen elsewhere is counted, and takes back what bars had chosen", () => {
  const { el, store } = opened();
  add(el, "colour");
  pressBar(el, "colour", 0);
  store.set({ selection: Uint32Array.of(1, 2, 4) });
  expect(bar(el, "colour", 0).getAttribute("aria-pressed")).toBe("false");
  expect(bar(el, "colour", 1).getAttribute("data-chosen")).toBe("2");
});

test("drawing over bars chooses a range of numbers", () => {
  const { el, store } = opened();
  add(el, "dose");
  const chart = el.querySelector("figure[data-column=dose] svg");
  const width = Number(chart?.getAttribute("width"));
  const at = (share: number, kind: string) =>
    chart?.dispatchEvent(
      new PointerEvent(kind, { clientX: share * width, bubbles: true, button: 0 }),
    );
  at(0.01, "pointerdown");
  at(0.49, "pointermove");
  at(0.49, "pointerup");
  const { selection } = store.state;
  expect([...selection]).toEqual([...Array(selection.length).keys()]);
  expect(selection.length).toBeGreaterThan(25);
  expect(selection.length).toBeLessThan(33);
  click(el, "[data-key='remove:dose']");
  expect(store.state.selection).toHaveLength(0);
});

test("bars that no row is in together leave no rows, and that is said", () => {
  const { el, store } = opened();
  add(el, "batch");
  add(el, "dose");
  pressBar(el, "batch", 1);
  pressBar(el, "dose", 0);
  expect(store.state.selection).toHaveLength(0);
  expect(points(el)).toEqual([]);
  const said = () =>
    Array.from(
      el.querySelectorAll("[role=status]:not([hidden])"),
      (one) => one.textContent,
    );
  expect(said()).toEqual(["0 of 60 rows", "No row matches all selected bars."]);
  expect(bar(el, "batch", 1).getAttribute("data-chosen")).toBe("0");
  store.set({ selection: new Uint32Array() });
  expect(points(el).length).toBeGreaterThan(5);
  expect(said()).toEqual(["60 rows"]);
});
