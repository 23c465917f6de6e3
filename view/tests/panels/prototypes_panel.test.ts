import { expect, test } from "vitest";
import { PrototypesPanel } from "../../src/panels/prototypes_panel";
import type { SceneModel } from "../../src/scene/scene";
import { bareScene, MARKUP, madeScene, tensor } from "../made_scene";
import { click, mounted, values } from "../mounted";

const scene = madeScene({ perClass: 2, d: 3 });
const model = scene.model as SceneModel;
const W = model.prototypes.values.data;
const TAB = { tab: "prototypes" as const };
const COMPARED = "[aria-label='Features side by side'] rect";

test("prototypes are listed with their members, the chosen ones marked", () => {
  const { el, store } = mounted(PrototypesPanel, scene, TAB);
  expect(el.querySelectorAll("[data-prototype]")).toHaveLength(6);
  click(el, "[data-prototype='3']");
  expect(store.state.prototypes).toEqual([3]);
  const chip = el.querySelector("[data-prototype='3']");
  expect(chip?.getAttribute("aria-pressed")).toBe("true");
  expect(chip?.getAttribute("aria-label")).toBe(
    `class 1, no. 2, ${model.prototypes.n_members.data[3]} points`,
  );
});

test("a prototype that is alone in its class has no number", () => {
  const { el } = mounted(PrototypesPanel, madeScene(), TAB);
  const chip = el.querySelector("[data-prototype='1']");
  expect(chip?.getAttribute("aria-label")).toBe("class 1, 20 points");
  expect(chip?.textContent).toBe("20");
});

test("bars of the chosen prototypes have the right numbers, raw and scaled", () => {
  const { el } = mounted(PrototypesPanel, scene, { ...TAB, prototypes: [0, 3] });
  const { low, high } = scene.features[2];
  const scaled = values(el, COMPARED);
  expect(scaled).toHaveLength(6);
  expect(scaled[0]).toBeCloseTo((W[2] - low) / (high - low), 12);
  click(el, "[data-key='Values:raw']");
  // By relevance: the last feature first.
  expect(values(el, COMPARED)).toEqual([2, 1, 0].flatMap((j) => [W[j], W[9 + j]]));
});

test("contributions compare the first chosen with the others", () => {
  const { el, store } = mounted(PrototypesPanel, scene, { ...TAB, prototypes: [0] });
  click(el, "[data-key='Values:contribution']");
  expect(el.textContent).toContain("Select a second prototype");
  store.set({ prototypes: [0, 3] });
  const sum = values(el, COMPARED).reduce((a, b) => a + b, 0);
  expect(sum).toBeCloseTo(model.prototypes.distances.data[3], 10);
});

test("without a metric there is no button for contributions", () => {
  const bare = { ...scene, model: { ...model, metric: null, relevances: null } };
  const { el } = mounted(PrototypesPanel, bare, { ...TAB, prototypes: [0] });
  expect(el.querySelector("[data-key='Values:contribution']")).toBeNull();
  expect(el.querySelector("[aria-label='Relevance of features']")).toBeNull();
});

test("the table holds the same numbers as the bars", () => {
  const { el } = mounted(PrototypesPanel, scene, {
    ...TAB,
    prototypes: [0, 3],
    object: 1,
  });
  const numbers = values(el, COMPARED);
  click(el, "[data-key=as-table]");
  expect(values(el, "[aria-label='Features side by side'] td[data-value]")).toEqual(
    numbers,
  );
});

test("relevances are shown, the largest first", () => {
  const { el } = mounted(PrototypesPanel, scene, TAB);
  const found = values(el, "[aria-label='Relevance of features'] rect");
  expect(found).toEqual(Array.from(model.relevances?.data ?? []).reverse());
});

test("a relevance with an interval has a line from end to end, and says it", () => {
  const ends = Float64Array.of(0, 0.2, 0.1, 0.3, 0.4, 0.9);
  const shown = { ...scene, model: { ...model, relevance_intervals: tensor(ends) } };
  const { el } = mounted(PrototypesPanel, shown, TAB);
  const chart = el.querySelector("[aria-label='Relevance of features']") as Element;
  const lines = Array.from(chart.querySelectorAll(".ls-interval"), (line) =>
    line.getAttribute("d"),
  );
  expect(lines).toHaveLength(3);
  const [, low, high] =
    lines[0]?.match(/^M([\d.]+) [\d.]+H([\d.]+)M/)?.map(Number) ?? [];
  const bar = chart.querySelector("rect.ls-bar-mark");
  const [from, long] = ["x", "width"].map((name) => Number(bar?.getAttribute(name)));
  const unit = long / Number(bar?.getAttribute("data-value"));
  expect(low).toBeCloseTo(from + 0.4 * unit, 6);
  expect(high).toBeCloseTo(from + 0.9 * unit, 6);
  expect(chart.querySelector("rect title")?.textContent).toContain(
    "95% interval 0.4 to 0.9",
  );
  expect(el.textContent).toContain("Lines are 95% intervals");
});

test("of many features twelve are shown, the others on request", () => {
  const wide = madeScene({ d: 30 });
  const { el } = mounted(PrototypesPanel, wide, { ...TAB, prototypes: [0] });
  expect(values(el, COMPARED)).toHaveLength(12);
  click(el, "[data-key=features]");
  expect(values(el, COMPARED)).toHaveLength(30);
});

test("the keyboard stays where it is when the page is drawn again", () => {
  const { el } = mounted(PrototypesPanel, scene, TAB);
  const chip = el.querySelector<HTMLElement>("[data-prototype='2']");
  chip?.focus();
  chip?.click();
  expect(document.activeElement?.getAttribute("data-prototype")).toBe("2");
});

test("names that look like markup are shown as text", () => {
  const { el } = mounted(PrototypesPanel, scene, { ...TAB, prototypes: [0] });
  expect(el.querySelector("img")).toBeNull();
  expect(el.textContent).toContain("<b>bold</b>");
  expect(el.textContent).toContain(MARKUP);
});

test("80 prototypes of 40 classes are all there", () => {
  const many = madeScene({ nClasses: 40, perClass: 2, n: 80 });
  const { el } = mounted(PrototypesPanel, many, TAB);
  expect(el.querySelectorAll(".ls-prototype-class")).toHaveLength(40);
  expect(el.querySelectorAll("[data-prototype]")).toHaveLength(80);
});

test("a scene without a model says so; one without features shows its prototypes", () => {
  expect(mounted(PrototypesPanel, bareScene(), TAB).el.textContent).toContain(
    "No prototypes",
  );
  const { el } = mounted(PrototypesPanel, { ...scene, features: [] }, TAB);
  expect(el.querySelectorAll("[data-prototype]")).toHaveLength(6);
  expect(el.textContent).not.toContain("Features side by side");
});
