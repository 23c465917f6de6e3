import { expect, test } from "vitest";
import type { Context } from "../../src/context";
import { ObjectPanel } from "../../src/panels/object_panel";
import { decisionsCsv, decisionsPython } from "../../src/panels/relabel";
import { SelectionPanel } from "../../src/panels/selection_panel";
import { SummaryPanel } from "../../src/panels/summary/summary_panel";
import { decided } from "../../src/scene/decisions";
import { decide, Store, undoDecision } from "../../src/state";
import { audited } from "../audited";
import { madeScene } from "../made_scene";
import { click, mounted } from "../mounted";

const scene = madeScene({ n: 30 });

function relabel(el: HTMLElement, label: string): void {
  const select = el.querySelector<HTMLSelectElement>("[data-key=relabel]");
  if (select === null) {
    throw new Error("there is no list of classes");
  }
  select.value = label;
  select.dispatchEvent(new Event("change"));
}

test("any object gets another class, and has its own back by Undo", () => {
  const { el, store } = mounted(ObjectPanel, scene, { object: 4, tab: "object" });
  relabel(el, "class 2");
  expect([...decided(store.state)]).toEqual([[4, "class 2"]]);
  expect(el.querySelector("[data-fact='new label']")?.textContent).toBe("class 2");
  expect(el.textContent).toContain("1 label reviewed");
  click(el, "[data-key=undo]");
  expect(store.state.decisions).toEqual([]);
  expect(el.querySelector("[data-fact='new label']")).toBeNull();
});

test("all chosen points get another class at once, and Undo takes all of it back", () => {
  const { el, store } = mounted(SelectionPanel, scene, {
    selection: Uint32Array.of(3, 7, 9),
  });
  relabel(el, "class 1");
  expect([...decided(store.state).keys()]).toEqual([3, 7, 9]);
  click(el, "[data-key=undo]");
  expect(decided(store.state).size).toBe(0);
});

test("points without classes, and those of several runs, are not relabelled", () => {
  const state = { object: 4, tab: "object" as const };
  const comparison = { columns: [], rows: [], words: [], recommended: "" };
  for (const other of [{ labels: null }, { comparison }]) {
    const { el } = mounted(ObjectPanel, { ...scene, ...other }, state);
    expect(el.querySelector("[data-key=relabel]")).toBeNull();
  }
});

test("decisions leave by the Summary where nothing was suspected", () => {
  const decisions = [{ rows: Uint32Array.of(4, 5), label: "class 2" }];
  const { el } = mounted(SummaryPanel, scene, { decisions });
  expect(el.textContent).toContain("2 labels reviewed");
  expect(el.textContent).toContain("Save CSV");
});

function summary(context: Partial<Context>): HTMLElement {
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  const given = { scene: audited(), store: new Store(), asker: null, ...context };
  new SummaryPanel(el, given);
  return el;
}

test("a button does what a finding proposes, where the host can", () => {
  const done: (readonly string[])[] = [];
  const el = summary({ fix: (remedy) => void done.push(remedy) });
  const buttons = [...el.querySelectorAll<HTMLButtonElement>(".ls-fix")];
  expect(buttons.map((one) => one.textContent)).toEqual(["Leave out"]);
  buttons[0]?.click();
  expect(done).toEqual([["drop", "feature 2"]]);
  expect(summary({}).querySelector(".ls-fix")).toBeNull();
});

test("a host that can audit has a button in place of words for other hosts", () => {
  const page = summary({ scene });
  expect(page.textContent).toContain("labelscape audit DATA");
  let asked = 0;
  const app = summary({
    scene,
    audit: () => {
      asked += 1;
    },
  });
  expect(app.textContent).not.toContain("--audit");
  click(app, "[data-key=audit]");
  expect(asked).toBe(1);
});

function decidedStore() {
  const store = new Store();
  decide(store, 31, "class 2");
  decide(store, 6, "class 2");
  decide(store, 6, "<b>bold</b>");
  return store;
}

test("the table has all suspects with what was decided last", () => {
  const lines = decisionsCsv(audited(), decidedStore().state).join("").split("\r\n");
  expect(lines).toEqual([
    "row,id,given,likely,chance_wrong,decision,label",
    "31,object 31,class 1,class 2,0.999,relabelled,class 2",
    "6,object 6,<b>bold</b>,class 1,0.9,kept,<b>bold</b>",
    "20,object 20,class 2,<b>bold</b>,0.6,open,",
    "",
  ]);
});

test("points that nobody suspected are decided on, too, all at once", () => {
  const store = decidedStore();
  decide(store, Uint32Array.of(1, 4), "class 2");
  const lines = decisionsCsv(audited(), store.state).slice(4);
  expect(lines).toEqual([
    "1,object 1,class 1,,,relabelled,class 2\r\n",
    "4,object 4,class 1,,,relabelled,class 2\r\n",
  ]);
  const code = decisionsPython(audited(), store.state);
  expect(code).toContain('1: "class 2",\n    4: "class 2",\n    31: "class 2",');
  undoDecision(store);
  expect(decisionsCsv(audited(), store.state)).toHaveLength(4);
});

test("where no chance can be estimated, its cell is empty", () => {
  const [first] = audited().audit?.suspects ?? [];
  const look_first = [{ ...first, chance_wrong: null }];
  const scene = audited({ suspects: [], look_first });
  const [, line] = decisionsCsv(scene, new Store().state);
  expect(line).toBe("31,object 31,class 1,class 2,,open,\r\n");
});

test("names that spreadsheets would calculate are texts", () => {
  const [first] = audited().audit?.suspects ?? [];
  const odd = audited({ suspects: [{ ...first, likely: "=1+1" }] });
  const [, line] = decisionsCsv(odd, new Store().state);
  expect(line).toContain("'=1+1");
});

test("the Python module names changed and kept rows, and an example of each label", () => {
  const scene = { ...audited(), title: 'A "table"' };
  const code = decisionsPython(scene, decidedStore().state);
  expect(code).toContain('TABLE = "A \\"table\\""');
  expect(code).toContain('RELABELLED = {\n    31: "class 2",\n}');
  expect(code).toContain("KEPT = [6]");
  expect(code).toContain('EXAMPLES = {"class 2": 2}');
});
