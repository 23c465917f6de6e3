// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIGHT_COLORS } from "../../src/save/saved_legend";

test("the lights of a saved picture have the colours of the style sheet", () => {
  const tokens = readFileSync("src/css/tokens.css", "utf8");
  const { light, dark } = LIGHT_COLORS;
  for (const state of ["good", "fair", "bad", "none"] as const) {
    const found = tokens.matchAll(new RegExp(`--ls-${state}: (#\\w+)`, "g"));
    expect([light[state], dark[state]]).toEqual(
      Array.from(found, ([, color]) => color),
    );
  }
});
