import { expect, test } from "vitest";
import { comparisonTable } from "../../src/panels/comparison_table";
import { QualityPanel } from "../../src/panels/quality_panel";
import { bareScene, madeScene, tensor } from "../made_scene";
import { mounted, values } from "../mounted";

const scene = madeScene();
const TAB = { tab: "quality" as const };

test("lights come first, then the numbers with interval and shuffled labels", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  const [first] = el.querySelectorAll(".ls-section");
  const lights = Array.from(first.querySelectorAll("li"), (one) => one.dataset.light);
  expect(lights).toEqual(["good", "fair"]);
  expect(first.textContent).toContain(
    "94% of held-out rows get the right class on the map, 99% in",
  );
  expect(values(el, "[data-measure=unseen]")).toEqual([0.94]);
  const rows = Array.from(first.querySelectorAll("tbody tr"), (row) =>
    Array.from(row.children, (cell) => cell.textContent),
  );
  expect(rows[1]).toEqual(["Unseen objects", "94%", "90 to 97%", "35%"]);
});

test("what to know of the numbers stands below them", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  const [first] = el.querySelectorAll(".ls-section");
  expect(first.lastElementChild?.textContent).toContain("copies stay together");
});

test("classes are judged one by one, the worst first, and without those left out", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  const chart = el.querySelector(
    "[aria-label='Held-out points classified correctly, by class']",
  );
  expect(values(chart as Element, "[data-value]")).toEqual([0.4, 0.9]);
});

test("the classes confused most are there with their share", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  const rows = el.querySelectorAll(
    "[aria-label='Classes most often confused on this map'] tbody tr",
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].textContent).toBe("class 1class 213%");
  expect(rows[0].querySelector("[data-class='2']")).not.toBeNull();
});

function withIslands() {
  const island = (state: "good" | "bad", answer: string, ...members: number[]) => ({
    state,
    answer,
    words: `This island ${answer}.`,
    holds: "<b>bold</b> 2",
    stability: state === "good" ? 0.914 : 0.38,
    members: tensor(Uint32Array.from(members)),
  });
  const islands = {
    islands: [island("good", "stable", 1, 4, 7), island("bad", "falls apart", 2, 3)],
    words: ["1 of 2 islands is stable."],
  };
  return { ...scene, maps: [{ ...scene.maps[0], islands }] };
}

test("islands are a line each, with a light, a figure and their classes as text", () => {
  const { el } = mounted(QualityPanel, withIslands(), TAB);
  const lines = Array.from(
    el.querySelectorAll("[data-island]"),
    (one) => one.textContent,
  );
  expect(lines).toEqual([
    "stable (.91) · 3 points<b>bold</b> 2",
    "falls apart (.38) · 2 points<b>bold</b> 2",
  ]);
  expect(el.textContent).toContain("1 of 2 islands is stable.");
});

test("an island chooses its points, and puts them back", () => {
  const { el, store } = mounted(QualityPanel, withIslands(), TAB);
  const line = () => el.querySelector("[data-island='1']") as HTMLButtonElement;
  line().click();
  expect(Array.from(store.state.selection)).toEqual([2, 3]);
  expect(line().getAttribute("aria-pressed")).toBe("true");
  line().click();
  expect(store.state.selection).toHaveLength(0);
});

test("a map of which nobody asked has no section of islands", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  expect(el.textContent).not.toContain("Islands");
});

test("the curve of neighbourhoods is explained", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  expect(el.textContent).toContain("0 = as expected by chance");
});

test("measures stand with their meaning, and with the data where there is a twin", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  const rows = Array.from(
    el.querySelectorAll("[aria-label='Measures of quality'] tbody tr"),
    (row) => row.textContent,
  );
  expect(rows[0]).toContain("0.930");
  expect(rows[0]).toContain("neighbours on the map are neighbours in the data");
  expect(rows[1]).toContain("0.9100.880");
  expect(el.querySelectorAll("svg.ls-chart")).toHaveLength(3);
});

test("another map shows its own quality", () => {
  const regions = {
    box: [0, 0, 1, 1] as const,
    labels: tensor(Uint8Array.of(0), 1, 1),
    certainty: tensor(Uint8Array.of(255), 1, 1),
    support: tensor(Uint8Array.of(1), 1, 1),
    agreement: 0.9,
    share_far: 0.25,
    accuracy: 0.81,
    words: "",
    contradicts: null,
    by: "",
  };
  const other = { ...bareScene().maps[0], name: "Other", regions };
  const two = { ...scene, maps: [scene.maps[0], other] };
  const { el, store } = mounted(QualityPanel, two, TAB);
  store.set({ map: 1 });
  expect(el.querySelector("h2")?.textContent).toBe("Other");
  expect(el.textContent).toContain("90% of the points lie in the region");
  expect(el.textContent).toContain("Predictions are right for 81% of held-out rows");
  expect(el.textContent).toContain("25% of the map is extrapolation");
  expect(el.querySelectorAll("[data-light=none]")).toHaveLength(2);
});

test("a map that was not measured says so, with grey lights", () => {
  const { el } = mounted(QualityPanel, bareScene(), TAB);
  expect(el.querySelectorAll("[data-light=none]")).toHaveLength(2);
  expect(el.textContent).toContain("Not tested");
  expect(el.textContent).toContain("neighbors and distances was not measured");
});

test("all maps are shown in numbers, and which of them is on the stage", () => {
  const el = comparisonTable(
    {
      columns: ["map", "T"],
      rows: [
        ["LiRaM LVQ", "0.9"],
        ["NE-XOM", "0.8"],
      ],
      words: ["T: neighbours on the map are neighbours in the data."],
      recommended: "",
    },
    "NE-XOM",
  );
  const cells = [...el.querySelectorAll("tbody td")].map((cell) => cell.textContent);
  expect(cells).toEqual(["LiRaM LVQ", "0.9", "NE-XOM", "0.8"]);
  expect(el.querySelector("strong")?.textContent).toBe("NE-XOM");
  expect(el.textContent).toContain("neighbours in the data");
});

test("beside one of many maps, a short table leads to the others and to all", () => {
  const [map] = bareScene().maps;
  const comparison = {
    columns: ["map", "T", "C", "R_NX", "unseen", "kept", "real", "seconds"],
    rows: [
      ["One", ".9", ".9", ".5", "0.80", "most", "yes", "1"],
      ["Two", ".8", ".9", ".5", "0.90", "all", "yes", "2"],
    ],
    words: ["Taken: Two."],
    recommended: "Two",
  };
  const maps = ["One", "Two"].map((name) => ({ ...map, name }));
  const { el, store } = mounted(QualityPanel, { ...scene, maps, comparison }, TAB);
  const heads = [...el.querySelectorAll("thead th")].slice(0, 4);
  expect(heads.map((head) => head.textContent)).toEqual([
    ...["map", "unseen", "kept", "real"],
  ]);
  el.querySelector<HTMLElement>("[data-key='map:Two']")?.click();
  expect(store.state.map).toBe(1);
  el.querySelector<HTMLElement>("[data-key=together]")?.click();
  expect(store.state.together).toBe(true);
});

test("held-out rows stand by class and prediction, and can be chosen", () => {
  const held = Uint8Array.from({ length: scene.n_points }, (_, i) => (i < 12 ? 1 : 0));
  const given = { ...scene, held_out: tensor(held) };
  const { el, store } = mounted(QualityPanel, given, TAB);
  const cells = Array.from(el.querySelectorAll<HTMLElement>("[data-key^=confusion]"));
  const counts = cells.map((cell) => Number(cell.textContent));
  expect(counts.reduce((a, b) => a + b, 0)).toBe(12);
  cells[0].click();
  expect(Array.from(store.state.selection).every((i) => i < 12)).toBe(true);
  expect(store.state.selection).toHaveLength(counts[0]);
  expect(mounted(QualityPanel, scene, TAB).el.textContent).not.toContain("Held-out");
});
