import { expect, test } from "vitest";
import { lightList, lightsOf } from "../../src/ui/lights";

const LIGHTS = (["good", "fair", "bad", "none"] as const).map((state) => ({
  question: "Are the classes really separated?",
  state,
  answer: "Yes",
  figure: "94% <b>of</b> rows.",
  detail: "",
  measured: "",
}));

test("a light is its question, its answer and its figure, as text", () => {
  const [light] = lightList(LIGHTS).children;
  expect(light.textContent).toBe(
    "Are the classes really separated? Yes 94% <b>of</b> rows.",
  );
  expect(light.querySelector("strong")?.textContent).toBe("Yes");
  expect(light.getAttribute("title")).toContain("Yes: 94% <b>of</b>");
});

test("each state has a shape and a color of its own", () => {
  const paths = [...lightList(LIGHTS).querySelectorAll("path")];
  expect(new Set(paths.map((path) => path.getAttribute("d"))).size).toBe(4);
  const colors = paths.map(
    (path) => path.getAttribute("stroke") ?? path.getAttribute("fill"),
  );
  expect(colors).toEqual([
    "var(--ls-good)",
    "var(--ls-fair)",
    "var(--ls-bad)",
    "var(--ls-none)",
  ]);
});

test("what was not measured has two grey lights that say so", () => {
  for (const said of [null, undefined, {}, { lights: [] }]) {
    const lights = lightsOf(said);
    expect(lights.map(({ state }) => state)).toEqual(["none", "none"]);
    expect(lights.map(({ answer }) => answer)).toEqual(["Not tested", "Not tested"]);
    expect(lights[0].figure).toBe("The map was not tested on held-out rows.");
  }
});

test("the lights of a scene are shown as they are", () => {
  const light = { question: "Is it right?", state: "good", answer: "75%", figure: "" };
  const lights = [light as never];
  expect(lightsOf({ lights })).toBe(lights);
});
