import { expect, test } from "vitest";
import { decisionsCsv, decisionsPython } from "../../src/save/decisions";
import { decide, Store, undoDecision } from "../../src/state";
import { audited } from "../audited";

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
