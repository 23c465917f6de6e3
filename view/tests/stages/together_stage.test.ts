import { expect, test } from "vitest";
import type { ComparisonTable, Scene } from "../../src/scene/scene";
import { TogetherStage } from "../../src/stages/together_stage";
import { Store, showMap } from "../../src/state";
import { bareScene } from "../made_scene";

const COMPARED: ComparisonTable = {
  columns: ["map", "T", "unseen", "kept", "real", "seconds"],
  rows: [
    ["One", "0.9", "0.80", "most", "yes", "1.0"],
    ["Two", "0.8", "0.95", "all", "yes", "2.0"],
    ["Failed", "–", "–", "–", "–", "0.1"],
  ],
  words: ["Chosen: Two, which tells 95% of unseen rows apart.", "T: neighbours."],
  recommended: "Two",
};

function compared(table = COMPARED): Scene {
  const scene = bareScene();
  const [map] = scene.maps;
  const maps = ["One", "Two"].map((name) => ({ ...map, name }));
  return { ...scene, maps, comparison: table };
}

function staged(table = COMPARED) {
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  const store = new Store({ together: true });
  const stage = new TogetherStage(
    el,
    { scene: compared(table), store, asker: null },
    table,
  );
  store.on((now, before) => stage.update(now, before));
  return { el, store, stage };
}

const names = (el: HTMLElement) =>
  Array.from(el.querySelectorAll(".ls-small-name"), (one) => one.textContent);

test("the recommended map stands out, and it is said in words why", () => {
  const { el } = staged();
  expect(names(el)).toEqual(["One", "Two"]);
  const best = el.querySelector("[data-recommended]");
  expect(best?.getAttribute("aria-label")).toBe("Two");
  const advice = el.querySelector(".ls-advice")?.textContent;
  expect(advice).toBe("Look first at Two, which tells 95% of unseen rows apart.");
  expect(el.querySelectorAll(".ls-small .ls-lights")).toHaveLength(2);
});

test("where none was judged, none is recommended", () => {
  const { el } = staged({ ...COMPARED, recommended: "", words: ["T: neighbours."] });
  expect(names(el)).toEqual(["One", "Two"]);
  expect(el.querySelector(".ls-advice")?.textContent).toMatch(/^No recommendation/);
  expect(el.textContent).toContain("T: neighbours.");
});

test("what is pointed at has a ring in every map", () => {
  const { el, store } = staged();
  const shown = () =>
    Array.from(
      el.querySelectorAll<HTMLElement>(".ls-small-ring"),
      (one) => !one.hidden,
    );
  expect(shown()).toEqual([false, false]);
  store.set({ hover: 3 });
  expect(shown()).toEqual([true, true]);
});

test("all columns stand in the table, and its rows show their map", () => {
  const { el, store } = staged();
  expect(el.querySelectorAll("thead th")).toHaveLength(6);
  const openers = el.querySelectorAll<HTMLElement>("tbody button");
  // The method that failed has no map.
  expect(Array.from(openers, (one) => one.textContent)).toEqual(["One", "Two"]);
  openers[1].click();
  expect(store.state).toMatchObject({ map: 1, together: false });
});

test("a map that is asked for is shown alone", () => {
  const store = new Store({ together: true });
  showMap(store, 1);
  expect(store.state.together).toBe(false);
});

test("saved, every map has its name and its lights", async () => {
  const { stage } = staged();
  const drawn = await stage.drawing();
  expect(drawn.textContent).toContain("One");
  expect(drawn.textContent).toContain("Two");
  expect(drawn.querySelectorAll("path")).toHaveLength(4);
});
