import { expect, test } from "vitest";
import type { Run } from "../../src/app/api";
import { RunList } from "../../src/app/home_page";

const LIGHTS = [
  {
    question: "Are the classes really separated?",
    state: "good",
    answer: "yes",
    figure: "94% of new ones",
  },
  {
    question: "Does the map show all of the separation?",
    state: "bad",
    answer: "little",
    figure: "",
  },
];

function listed(
  result: object,
  state = "finished",
  placed_on: string | null = null,
): HTMLElement {
  const run = {
    id: "a",
    name: "run",
    table_name: "t",
    created: 0,
    words: "",
    method_title: "LFDA",
    started: 100,
    ended: 103.2,
  };
  const list = new RunList(async () => {});
  list.show([{ ...run, state, result, settings: { placed_on } } as unknown as Run]);
  return list.el;
}

const states = (el: HTMLElement) =>
  Array.from(el.querySelectorAll("li"), (light) => light.dataset.light);

test("a finished run has its lights side by side, with their figures", () => {
  const el = listed({ lights: LIGHTS });
  expect(states(el)).toEqual(["good", "bad"]);
  expect(el.textContent).toContain("94% of new ones");
});

test("a run that was not judged has grey lights", () => {
  expect(states(listed({ lights: [] }))).toEqual(["none", "none"]);
});

test("a run that has not finished has no lights yet", () => {
  expect(states(listed({ lights: [] }, "running"))).toEqual([]);
});

test("new rows on a map say what is known of them, and are not compared", () => {
  const el = listed({ lights: [], summary: "2 rows are unlike." }, "finished", "b");
  expect(states(el)).toEqual([]);
  expect(el.textContent).toContain("2 rows are unlike.");
  expect(el.querySelector("input")).toBeNull();
});

test("a finished run says its method, how many new objects it is right for, its time", () => {
  const el = listed({ lights: LIGHTS, accuracy: 0.942 });
  const cells = Array.from(el.querySelectorAll("tbody td"), (one) => one.textContent);
  expect(cells.slice(3, 6)).toEqual(["LFDA", "94%", "finished in 4 s"]);
});

test("what nobody measured is a dash, and a run under way has no figure", () => {
  const figure = (el: HTMLElement) => el.querySelector(".ls-app-figure")?.textContent;
  expect(figure(listed({ lights: [], accuracy: null }))).toBe("–");
  expect(figure(listed({ lights: [] }, "running"))).toBe("");
});

test("a run that was cancelled says after what time", () => {
  expect(listed({ lights: [] }, "cancelled").textContent).toContain(
    "cancelled after 4 s",
  );
});
