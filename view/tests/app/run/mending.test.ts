import { expect, test } from "vitest";
import type { Run } from "../../../src/app/api";
import { changed, mending } from "../../../src/app/run/mending";

const SETTINGS = {
  label: "kind",
  drop: ["a"],
  keep: ["b", "c"],
  placed_on: null,
  refit_of: null,
} as unknown as Run["settings"];

test("each remedy changes what it is about, and nothing else", () => {
  expect(changed(SETTINGS, "drop", ["b"])).toEqual({ drop: ["a", "b"], keep: ["c"] });
  expect(changed(SETTINGS, "copies", ["drop"])).toEqual({ copies: "drop" });
  expect(changed(SETTINGS, "merge_classes", ["case"])).toEqual({
    merge_classes: "case",
  });
  expect(changed(SETTINGS, "group", ["patient"])).toEqual({ group_column: "patient" });
  expect(changed(SETTINGS, "missing_values", ["-999"])).toEqual({});
});

test("a data set without a file can be audited, and not be read otherwise", () => {
  const helps = (change: object) => {
    const run = { settings: { ...SETTINGS, ...change } } as Run;
    return Object.keys(mending(run, async () => {}));
  };
  expect(helps({})).toEqual(["audit", "mend"]);
  expect(helps({ label: null })).toEqual(["audit"]);
  expect(helps({ refit_of: "r" })).toEqual([]);
});
