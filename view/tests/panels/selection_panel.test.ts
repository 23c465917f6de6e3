import { expect, test, vi } from "vitest";
import {
  classCounts,
  inverted,
  SelectionPanel,
} from "../../src/panels/selection_panel";
import { bareScene, feature, MARKUP, madeScene, tensor } from "../made_scene";
import { click, mounted, values } from "../mounted";

const scene = madeScene({ n: 30 });

test("nothing chosen: words that say how to choose", () => {
  const { el } = mounted(SelectionPanel, scene);
  expect(el.textContent).toContain("0 of 30 points selected");
  expect(el.textContent).toContain("lasso");
});

test("the class mix counts the chosen points", () => {
  const { el, store } = mounted(SelectionPanel, scene);
  store.set({ selection: Uint32Array.of(0, 3, 6, 1) });
  expect(el.querySelector("h2")?.textContent).toBe("4 of 30 points selected");
  expect(values(el, "[aria-label=Classes] rect, rect[role=listitem]")).toEqual([3, 1]);
  expect(el.textContent).toContain("30%");
});

test("classes are counted, none among them, the most frequent first", () => {
  const codes = tensor(Uint8Array.of(0, 1, 1, 255));
  expect(classCounts(codes, null, 2)).toEqual([
    { index: 1, size: 2 },
    { index: -1, size: 1 },
    { index: 0, size: 1 },
  ]);
  expect(classCounts(codes, Uint32Array.of(0), 2)).toEqual([{ index: 0, size: 1 }]);
});

test("names that look like markup are shown as text", () => {
  const { el } = mounted(SelectionPanel, scene, { selection: Uint32Array.of(0, 3) });
  expect(el.querySelector("img, b")).toBeNull();
  expect(el.querySelector("[data-object='0']")?.textContent).toBe(MARKUP);
});

test("features that set the selection apart stand in order, with both means", () => {
  const { el } = mounted(SelectionPanel, scene, {
    selection: Uint32Array.of(0, 3, 6, 9),
  });
  const sizes = values(el, ".ls-differences li").map(Math.abs);
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect(el.querySelector(".ls-differences")?.textContent).toMatch(
    /here, .* in the others: \d\.\d sd (higher|lower)/,
  );
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(0.2);
});

test("bars of differences have one scale, of 3 standard deviations to each side", () => {
  const { el } = mounted(SelectionPanel, scene, { selection: Uint32Array.of(0, 3) });
  for (const item of el.querySelectorAll<HTMLElement>(".ls-differences li")) {
    const bar = item.querySelector<HTMLElement>(".ls-difference-bar span");
    const size = Math.abs(Number(item.dataset.value));
    expect(Number.parseFloat(bar?.style.width ?? "")).toBeCloseTo(
      50 * Math.min(1, size / 3),
      3,
    );
  }
});

test("of one point its value is told beside the average of the rest", () => {
  const { el } = mounted(SelectionPanel, scene, { selection: Uint32Array.of(0) });
  expect(el.textContent).toContain("What distinguishes this point");
  expect(el.textContent).toMatch(/here, on average .* in the others/);
});

test("where no feature differs, nothing stands out", () => {
  const values = Float32Array.from({ length: 30 }, (_, i) => i % 2);
  const alike = { ...scene, features: [feature({ name: "f", values })] };
  const { el } = mounted(SelectionPanel, alike, { selection: Uint32Array.of(0, 1) });
  expect(el.textContent).toContain(
    "is below 0.2 standard deviations for every feature",
  );
  expect(el.querySelector(".ls-differences")).toBeNull();
});

test("clear and invert", () => {
  const { el, store } = mounted(SelectionPanel, scene, {
    selection: Uint32Array.of(0, 29),
  });
  click(el, "[data-key=invert]");
  expect(store.state.selection).toHaveLength(28);
  expect(store.state.selection[0]).toBe(1);
  click(el, "[data-key=clear]");
  expect(store.state.selection).toHaveLength(0);
  click(el, "[data-key=invert]");
  expect(store.state.selection).toHaveLength(30);
  expect(el.textContent).toContain("All points are selected");
  expect([...inverted(Uint32Array.of(1), 3)]).toEqual([0, 2]);
});

test("selected points are shown with the prototypes, where distances are known", () => {
  const selection = Uint32Array.of(2, 29);
  const { el, store } = mounted(SelectionPanel, scene, { selection });
  click(el, "[data-key=among]");
  expect(store.state).toMatchObject({ level: "classes", classPoints: selection });
  const without = mounted(SelectionPanel, bareScene(30), { selection }).el;
  expect(without.querySelector("[data-key=among]")).toBeNull();
});

test("an id opens its object; its row is under the pointer", () => {
  const { el, store } = mounted(SelectionPanel, scene, {
    selection: Uint32Array.of(5),
  });
  el.querySelector("[data-object='5']")?.dispatchEvent(new Event("pointerenter"));
  expect(store.state.hover).toBe(5);
  click(el, "[data-object='5']");
  expect(store.state).toMatchObject({ object: 5, level: "object", tab: "object" });
});

test("where no level shows objects, the object is opened beside the map", () => {
  const { el, store } = mounted(SelectionPanel, bareScene(), {
    selection: Uint32Array.of(2),
  });
  click(el, "[data-object='2']");
  expect(store.state).toMatchObject({ object: 2, level: "data", tab: "object" });
});

test("copied is the CSV of the chosen points", async () => {
  const writeText = vi.fn(async (_text: string) => {});
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  const { el } = mounted(SelectionPanel, scene, { selection: Uint32Array.of(4) });
  click(el, "[data-key=copy]");
  await vi.waitFor(() =>
    expect(el.querySelector("[data-key=copy]")?.textContent).toBe("Copied"),
  );
  expect(writeText.mock.calls[0][0]).toMatch(/^id,class,.*\r\nobject 4,class 1,/);
  vi.unstubAllGlobals();
});

test("of many rows the first 200 are shown, and it is said", () => {
  const many = madeScene({ n: 400 });
  const all = Uint32Array.from({ length: 300 }, (_, i) => i);
  const { el } = mounted(SelectionPanel, many, { selection: all });
  expect(el.querySelectorAll(".ls-rows tbody tr")).toHaveLength(200);
  expect(el.textContent).toContain("Only the first 200 of 300 rows");
});

test("of 40 classes the most frequent are shown, the others on request", () => {
  const many = madeScene({ nClasses: 40, n: 80 });
  const all = Uint32Array.from({ length: 80 }, (_, i) => i);
  const { el } = mounted(SelectionPanel, many, { selection: all });
  expect(el.querySelectorAll(".ls-table[aria-label=Classes] tbody tr")).toHaveLength(
    12,
  );
  click(el, "[data-key=classes]");
  expect(el.querySelectorAll(".ls-table[aria-label=Classes] tbody tr")).toHaveLength(
    40,
  );
});

test("a scene without labels and features still counts and lists", () => {
  const { el, panel } = mounted(SelectionPanel, bareScene(), {
    selection: Uint32Array.of(1),
  });
  expect(el.textContent).toContain("1 of 10 points selected");
  expect(el.querySelectorAll(".ls-rows tbody tr")).toHaveLength(1);
  panel.destroy();
  expect(el.childElementCount).toBe(0);
});

test("what nobody looks at is drawn when somebody does", () => {
  const { el, store } = mounted(SelectionPanel, scene, { tab: "quality" });
  el.hidden = true;
  store.set({ selection: Uint32Array.of(1, 2) });
  expect(el.textContent).toContain("0 of 30 points selected");
  el.hidden = false;
  store.set({ tab: "selection" });
  expect(el.textContent).toContain("2 of 30 points selected");
});
