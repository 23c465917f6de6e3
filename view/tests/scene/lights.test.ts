import { expect, test } from "vitest";
import { lightsOf } from "../../src/scene/lights";

test("what was not measured has two grey lights that say so", () => {
  for (const said of [null, undefined, {}, { lights: [] }]) {
    const lights = lightsOf(said);
    expect(lights.map(({ state }) => state)).toEqual(["none", "none"]);
    expect(lights.map(({ answer }) => answer)).toEqual(["not tested", "not tested"]);
    expect(lights[0].figure).toBe("honesty was not measured");
  }
});

test("the lights of a scene are shown as they are", () => {
  const light = { question: "Is it right?", state: "good", answer: "75%", figure: "" };
  const lights = [light as never];
  expect(lightsOf({ lights })).toBe(lights);
});
