import { expect, test } from "vitest";
import { SummaryPanel } from "../../../src/panels/summary/summary_panel";
import type { Audit } from "../../../src/scene/scene";
import { audited, auditLights } from "../../audited";
import { bareScene, madeScene, tensor } from "../../made_scene";
import { click, mounted } from "../../mounted";

const line = (key: string) => `[data-line="${key}"]`;

test("the lights come first, with answer, figure and detail; they lead to figures", () => {
  const { el, store } = mounted(SummaryPanel, audited());
  const titles = Array.from(
    el.querySelectorAll("h3"),
    ({ textContent }) => textContent,
  );
  expect(titles).toEqual([
    "Are the classes really separated?",
    "Does the map show all of the separation?",
    "Labels",
    "Most confused",
    "Best separating features",
    "Table",
    "A map",
  ]);
  const words = el.querySelector(line("light:0"))?.textContent;
  expect(words).toContain("Yes: 94% of held-out rows get the right class");
  expect(words).toContain("95% interval 90% to 97%; p = 0.002");
  click(el, line("light:0"));
  expect(store.state.tab).toBe("quality");
});

test("each line says in place how it is measured", () => {
  const { el, store } = mounted(SummaryPanel, audited());
  const measured = () => [...el.querySelectorAll<HTMLDetailsElement>(".ls-measured")];
  expect(measured()).toHaveLength(5);
  const [first] = measured();
  expect(first.textContent).toBe(
    "How is this measured?The map is fitted to half of the rows.",
  );
  first.open = true;
  first.dispatchEvent(new Event("toggle"));
  store.set({ selection: Uint32Array.of(1) });
  expect(measured()[0].open).toBe(true);
});

test("what was not tested has no figures to open", () => {
  const { el } = mounted(SummaryPanel, bareScene());
  const light = el.querySelector(line("light:0"));
  expect(light?.textContent).toContain("Not tested");
  expect(light?.tagName).toBe("DIV");
});

test("positions that the data cannot predict are a line that selects them", () => {
  const scene = madeScene();
  const errors = tensor(new Float32Array(scene.n_points));
  const place_errors = { errors, misplaced: tensor(Uint32Array.of(7, 2)) };
  const [map, ...others] = scene.maps;
  const placed = { ...scene, maps: [{ ...map, place_errors }, ...others] };
  const { el, store } = mounted(SummaryPanel, placed);
  expect(el.querySelector(line("unreliable"))?.textContent).toBe(
    "2 unreliable positions: far from the positions predicted from the data",
  );
  click(el, line("unreliable"));
  expect([...store.state.selection]).toEqual([7, 2]);
});

test("the line about labels selects the suspects", () => {
  const summary = "3 of 60 look wrong (at most 10% of these are false alarms).";
  const detail = "estimated share of false alarms 6%";
  const lights = auditLights(summary).map((light) => ({ ...light, detail }));
  const { el, store } = mounted(SummaryPanel, audited({ lights }));
  const words = el.querySelector(line("suspects"))?.textContent;
  expect(words).toContain(summary);
  expect(words).toContain(detail);
  click(el, line("suspects"));
  expect([...store.state.selection]).toEqual([6, 20, 31]);
  expect(el.querySelector(line("suspects"))?.getAttribute("aria-pressed")).toBe("true");
  click(el, line("suspects"));
  expect(store.state.selection).toHaveLength(0);
});

test("an estimate is never certain, and no suspects are good news", () => {
  const sure = mounted(SummaryPanel, audited()).el;
  expect(sure.querySelector(line("suspect:31"))?.textContent).toContain("over 99%");
  const lights = auditLights("none look wrong.", "good");
  const { el } = mounted(
    SummaryPanel,
    audited({ suspects: [], findings: [], pairs: [], lights }),
  );
  expect(el.textContent).toContain("None look wrong.");
  expect(el.textContent).toContain("No two classes.");
  expect(el.textContent).toContain("No problems detected.");
  expect(el.querySelectorAll("[data-suspect]")).toHaveLength(0);
});

test("where nothing can be told the light is grey, and the ranking is shown", () => {
  const { suspects } = audited().audit as Audit;
  const scene = audited({
    suspects: [],
    look_first: suspects.map((one) => ({ ...one, chance_wrong: null })),
    lights: auditLights("The classes overlap too much.", "none"),
  });
  const { el, store } = mounted(SummaryPanel, scene);
  const head = el.querySelector(line("suspects"));
  expect(head?.textContent).toContain("overlap too much");
  expect(head?.querySelector("path")?.getAttribute("stroke")).toBe("var(--ls-none)");
  expect(el.textContent).toContain("Check these rows first");
  expect(el.querySelector(line("suspect:6"))?.textContent).toContain("no. 2");
  expect(el.textContent).not.toContain("percentage");
  expect(el.textContent).toContain("0 of 3 reviewed");
  click(el, line("suspect:6"));
  expect([...store.state.selection]).toEqual([6]);
  expect(el.querySelector(".ls-suspect-details")).not.toBeNull();
});

test("the list says what it assumes, and what comes next", () => {
  const { suspects } = audited().audit as Audit;
  const look_first = [{ ...suspects[2], row: 44, chance_wrong: 0.3 }];
  const { el } = mounted(SummaryPanel, audited({ look_first }));
  expect(el.textContent).toContain("Assumes much.");
  expect(el.textContent).toContain("Check these rows next");
  expect(el.querySelector(line("suspect:44"))?.textContent).toContain("30");
});

test("the map is fitted again to what was decided, where somebody can", () => {
  const told: [number, string][][] = [];
  const refit = (labels: ReadonlyMap<number, string>) => told.push([...labels]);
  const { el, store } = mounted(SummaryPanel, audited(), {}, null, refit);
  click(el, line("suspect:31"));
  const button = () =>
    [...el.querySelectorAll("button")].find((one) => one.textContent === "Fit again");
  expect(button()?.disabled).toBe(true);
  store.set({
    decisions: [
      { rows: Uint32Array.of(31), label: "class 0" },
      { rows: Uint32Array.of(6), label: "class 1" },
      { rows: Uint32Array.of(31), label: "class 2" },
    ],
  });
  button()?.click();
  expect(told).toEqual([
    [
      [6, "class 1"],
      [31, "class 2"],
    ],
  ]);
  const page = mounted(SummaryPanel, audited(), { decisions: store.state.decisions });
  expect(page.el.textContent).toContain("Save CSV");
  expect(page.el.textContent).not.toContain("Fit again");
});

test("pairs and findings choose their points, a column colours them", () => {
  const scene = audited();
  const { el, store } = mounted(SummaryPanel, scene);
  click(el, line(`pair:${scene.classes[1]}:${scene.classes[2]}`));
  expect([...store.state.selection]).toEqual([20, 31]);
  click(el, line("finding:0"));
  expect([...store.state.selection]).toEqual([7, 9]);
  click(el, line("finding:1"));
  expect(store.state.colorBy).toBe("feature:feature 2");
  click(el, line("finding:1"));
  expect(store.state.colorBy).toBe("class");
});

test("what parts two classes chooses both, and compares them feature by feature", () => {
  const scene = audited();
  const { el, store } = mounted(SummaryPanel, scene);
  const parts = line(`features:${scene.classes[1]}:${scene.classes[2]}`);
  expect(el.querySelector(parts)?.textContent).toContain(
    "feature 1 (93% accuracy on held-out rows)",
  );
  click(el, parts);
  expect(store.state.selection).toHaveLength(40);
  expect(el.querySelector(".ls-differences li")?.textContent).toContain("in class 1");
});

test("any two classes can be compared", () => {
  const { el, store } = mounted(SummaryPanel, audited());
  for (const [label, index] of [
    ["First class", 0],
    ["Second class", 2],
  ]) {
    const select = el.querySelector<HTMLSelectElement>(`[aria-label="${label}"]`);
    if (select) {
      select.value = String(index);
      select.dispatchEvent(new Event("change"));
    }
  }
  expect(store.state.selection).toHaveLength(40);
  const first = el.querySelector(".ls-differences li")?.textContent;
  expect(first).toContain("in <b>bold</b>, ");
  expect(first).toContain("in class 2");
});

test("a cell of the confusion chooses whom it counts", () => {
  const { el, store } = mounted(SummaryPanel, audited());
  const cell = [...el.querySelectorAll<HTMLElement>(".ls-cell-wrong")];
  expect(cell.map(({ textContent }) => textContent)).toEqual(["1"]);
  expect(cell[0].title).toBe("1 of class 1, predicted as class 2 (5.0%)");
  cell[0].click();
  expect([...store.state.selection]).toEqual([31]);
});

test("the suspect that is looked at tells why, and is kept or changed", () => {
  const scene = audited();
  const { el, store } = mounted(SummaryPanel, scene);
  click(el, "[data-key='suspect:next']");
  expect([...store.state.selection]).toEqual([31]);
  const details = el.querySelector(".ls-suspect-details")?.textContent;
  expect(details).toContain("Probability when held out: 97% class 2, 2.0% class 1");
  expect(details).toContain("feature 1 = 2typically 1.75 in class 2, 0.5 in class 1");
  expect(details).toContain("object 12");
  click(el, "[data-key='suspect:relabel']");
  expect(store.state.decisions).toEqual([
    { rows: Uint32Array.of(31), label: "class 2" },
  ]);
  expect([...store.state.selection]).toEqual([6]);
  click(el, "[data-key='suspect:keep']");
  expect(el.textContent).toContain("2 of 3 reviewed");
  expect(el.querySelector(line("suspect:31"))?.textContent).toContain("relabeled");
  expect(el.querySelector(line("suspect:6"))?.textContent).toContain("kept");
  click(el, "[data-key='suspect:undo']");
  expect(el.textContent).toContain("1 of 3 reviewed");
  expect([...store.state.selection]).toEqual([6]);
});

test("without an audit it says what was not asked, and how to ask", () => {
  const { el } = mounted(SummaryPanel, { ...madeScene(), audit_note: "too many rows" });
  expect(el.textContent).toContain("The labels were not checked (too many rows).");
  expect(el.textContent).toContain("labelscape audit DATA");
  expect(el.querySelector(line("pair:class 1:class 2"))).not.toBeNull();
  // The pairs of an audit are those of its models, and have another heading.
  expect(el.textContent).toContain("Classes most often confused on this map");
  expect(el.textContent).not.toContain("Most confused");
});

test("points without classes have nothing to audit", () => {
  const { el } = mounted(SummaryPanel, bareScene());
  expect(el.textContent).toContain("The points have no classes");
});

test("of new rows it says first what is known of them, and every line chooses", () => {
  const rows = (...points: number[]) => tensor(Uint32Array.from(points));
  const scene = {
    ...madeScene({ n: 60 }),
    new_rows: {
      name: "new.csv",
      lines: [
        {
          state: "fair" as const,
          words: "2 rows are unlike.",
          rows: rows(58, 59),
          feature: null,
        },
        {
          state: "none" as const,
          words: "Moved: feature 1.",
          rows: rows(),
          feature: "feature 1",
        },
      ],
    },
  };
  const { el, store } = mounted(SummaryPanel, scene);
  expect(el.querySelector("h2, h3")?.textContent).toBe("New rows: new.csv");
  expect(el.textContent).not.toContain("not checked");
  click(el, line("new:0"));
  expect([...store.state.selection]).toEqual([58, 59]);
  click(el, line("new:1"));
  expect(store.state.colorBy).toBe("feature:feature 1");
});

test("classes to compare are listed as people list them", () => {
  const classes = ["kind 1", "kind 10", "kind 2"];
  const { el } = mounted(SummaryPanel, { ...madeScene(), classes });
  const options = el.querySelectorAll("[data-key='compare:a'] option");
  expect(Array.from(options, ({ textContent }) => textContent)).toEqual([
    "a class",
    "kind 1",
    "kind 2",
    "kind 10",
  ]);
});
