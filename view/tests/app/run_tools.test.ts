import { expect, test } from "vitest";
import type { Run } from "../../src/app/api";
import { changed, fixes } from "../../src/app/run_tools";

const SETTINGS = {
  reading: { label: "kind", drop: ["a"], keep: ["b", "c"] },
  placed_on: null,
  refit_of: null,
} as unknown as Run["settings"];

test("each remedy changes what it is about, and nothing else", () => {
  expect(changed(SETTINGS.reading, ["drop", "b"])).toEqual({
    drop: ["a", "b"],
    keep: ["c"],
  });
  expect(changed(SETTINGS.reading, ["copies", "drop"])).toEqual({ copies: "drop" });
  expect(changed(SETTINGS.reading, ["merge_classes", "case"])).toEqual({
    merge_classes: "case",
  });
  expect(changed(SETTINGS.reading, ["group", "patient"])).toEqual({ group: "patient" });
  expect(changed(SETTINGS.reading, ["missing_values", "-999"])).toEqual({});
});

test("a data set without a file can be audited, and not be read otherwise", () => {
  const helps = (change: object) => {
    const run = { settings: { ...SETTINGS, ...change } } as Run;
    return Object.keys(fixes(run, async () => {}));
  };
  expect(helps({})).toEqual(["audit", "fix"]);
  expect(helps({ reading: { label: null } })).toEqual(["audit"]);
  expect(helps({ refit_of: "r" })).toEqual([]);
});
