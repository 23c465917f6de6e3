import { expect, test } from "vitest";
import { comparisonTable, QualityPanel } from "../../src/panels/quality_panel";
import { bareScene, madeScene, tensor } from "../made_scene";
import { mounted, values } from "../mounted";

const scene = madeScene();
const TAB = { tab: "quality" as const };

test("the verdict comes first, in words, with its level as a shape", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  expect(el.querySelector(".ls-section")?.textContent).toContain(
    "Most of the separation is there",
  );
  expect(el.querySelector("[role=note]")?.getAttribute("data-honesty")).toBe("real");
  expect(values(el, "[data-measure=unseen]")).toEqual([0.94]);
  expect(values(el, "[data-measure=null]")).toEqual([0.25]);
});

test("what was found is the heading, and its reason stands below", () => {
  const [map] = scene.maps;
  const verdict = "The separation is real: neighbours agree.";
  const said = { finding: "The separation is real", reason: "neighbours agree." };
  const honesty = map.honesty && { ...map.honesty, verdict, ...said };
  const { el } = mounted(QualityPanel, { ...scene, maps: [{ ...map, honesty }] }, TAB);
  expect(el.querySelector("[role=note] strong")?.textContent).toBe(said.finding);
  expect(el.querySelector("[role=note] p")?.textContent).toBe("Neighbours agree.");
});

test("a verdict in one piece is shown as it is", () => {
  const [map] = scene.maps;
  const verdict = "The separation is real: neighbours agree.";
  const honesty = map.honesty && { ...map.honesty, verdict };
  const { el } = mounted(QualityPanel, { ...scene, maps: [{ ...map, honesty }] }, TAB);
  expect(el.querySelector("[role=note]")?.textContent).toBe(verdict);
});

test("the curve of neighbourhoods is explained", () => {
  const { el } = mounted(QualityPanel, scene, TAB);
  expect(el.textContent).toContain("0 is as many as by chance");
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
  expect(el.querySelectorAll("svg.ls-chart")).toHaveLength(2);
});

test("another map shows its own quality", () => {
  const regions = {
    box: [0, 0, 1, 1] as const,
    labels: tensor(Uint8Array.of(0), 1, 1),
    certainty: tensor(Uint8Array.of(255), 1, 1),
    support: tensor(Uint8Array.of(1), 1, 1),
    agreement: 0.9,
    share_far: 0.25,
    words: "",
  };
  const other = { ...bareScene().maps[0], name: "Other", regions };
  const two = { ...scene, maps: [scene.maps[0], other] };
  const { el, store } = mounted(QualityPanel, two, TAB);
  store.set({ map: 1 });
  expect(el.querySelector("h2")?.textContent).toBe("Other");
  expect(el.textContent).toContain("For 90 % of the points");
  expect(el.textContent).toContain("25 % of the picture is far from all data");
  expect(el.querySelector("[role=note]")).toBeNull();
});

test("a map that was not measured says so", () => {
  const { el } = mounted(QualityPanel, bareScene(), TAB);
  expect(el.textContent).toContain("was not measured");
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
    },
    "NE-XOM",
  );
  const cells = [...el.querySelectorAll("tbody td")].map((cell) => cell.textContent);
  expect(cells).toEqual(["LiRaM LVQ", "0.9", "NE-XOM", "0.8"]);
  expect(el.querySelector("strong")?.textContent).toBe("NE-XOM");
  expect(el.textContent).toContain("neighbours in the data");
});
