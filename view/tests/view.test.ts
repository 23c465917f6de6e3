/** The whole page without a picture: what is written, pressed and sent to the host. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FrozenModel } from "../src/hosts/model";
import { render } from "../src/index";
import { Store } from "../src/state";
import { View } from "../src/view";
import { madeScene } from "./made_scene";

// An import of `node:fs` would be left out: this file is built as if for a browser.
const { readFileSync } = process.getBuiltinModule("node:fs");

let model: FrozenModel;
let stop: () => void;

function fixture(name: string): DataView {
  const bytes = new Uint8Array(readFileSync(`../tests/scene/fixtures/${name}.lscn`));
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

beforeEach(() => {
  model = new FrozenModel({
    scene: fixture("wine"),
    selection: new DataView(new ArrayBuffer(0)),
    object: -1,
    level: "data",
    map: 0,
    color_by: "class",
    theme: "light",
    height: 500,
    forming: new DataView(new ArrayBuffer(0)),
    forming_words: "",
    can_ask: false,
  });
  const el = document.createElement("div");
  document.body.append(el);
  stop = render({ model, el });
});

afterEach(() => {
  stop();
  document.body.replaceChildren();
});

function one<E extends HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (!found) {
    throw new Error(`Nothing on the page is ${selector}.`);
  }
  return found;
}

function selected(): number[] {
  const { buffer, byteOffset, byteLength } = model.get("selection") as DataView;
  return [...new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength))];
}

test("names that are markup are shown as text", () => {
  expect(one("h1").textContent).toBe("Wine <i>of three cultivars</i>");
  expect(document.querySelector("h1 i, .ls-class-row b")).toBeNull();
  expect(one(".ls-class-row").textContent).toContain("<b>Barolo</b>");
});

test("the verdict stands on the picture", () => {
  const lights = [...document.querySelectorAll<HTMLElement>(".ls-lights-bar li")];
  expect(lights.map(({ dataset }) => dataset.light)).toEqual(["good", "good", "fair"]);
  expect(lights[0].textContent).toContain("98% of held-out rows");
});

test("a host that can measure is asked to, and says how far it is", () => {
  const asked: unknown[] = [];
  stop();
  const able = Object.assign(model, {
    send: (message: unknown) => asked.push(message),
  });
  stop = render({ model: able, el: document.body });
  const measure = one<HTMLButtonElement>(".ls-judge button");
  expect(measure.hidden).toBe(true);
  model.set("can_measure", true);
  measure.click();
  expect(asked).toEqual([{ kind: "measure" }]);
  model.set("measuring", "fit 3 of 8");
  expect(one(".ls-judge [role=status]").textContent).toBe("fit 3 of 8");
});

test("who looks at a tab stays there when the scene comes anew", () => {
  one("[data-tab=quality]").click();
  one("[aria-label='Show the prototypes']").click();
  model.set("scene", fixture("wine"));
  expect(one("[data-tab=quality]").getAttribute("aria-selected")).toBe("true");
  const marks = one("[aria-label='Show the prototypes']");
  expect(marks.getAttribute("aria-pressed")).toBe("false");
});

test("the legend hides held-out rows, and shows them again", () => {
  const row = one("[data-part=held_out]");
  expect(row.textContent).toBe("Held out18");
  row.click();
  expect(row.getAttribute("aria-pressed")).toBe("false");
  row.click();
  expect(row.getAttribute("aria-pressed")).toBe("true");
});

test("where colours are shares, the legend says what grey is", () => {
  model.set("color_by", "judged_right");
  expect(one(".ls-scale").textContent).toContain("0%50%100%");
  expect(one(".ls-missing").textContent).toMatch(/^never held out: \d+$/);
});

test("the legend hides a class, shows one alone, and shows all again", () => {
  const rows = [...document.querySelectorAll<HTMLElement>(".ls-class-row")];
  const pressed = () => rows.map((row) => row.getAttribute("aria-pressed"));
  rows[1].click();
  expect(pressed()).toEqual(["true", "false", "true"]);
  rows[2].dispatchEvent(new MouseEvent("click", { shiftKey: true, bubbles: true }));
  expect(pressed()).toEqual(["false", "false", "true"]);
  one(".ls-legend .ls-link").click();
  expect(pressed()).toEqual(["true", "true", "true"]);
});

test("the legend counts what is selected", () => {
  model.set("selection", new DataView(Uint32Array.of(0, 1, 2).buffer));
  expect(one(".ls-class-row .ls-count").textContent).toBe("3 / 59");
  expect(one(".ls-tally").textContent).toBe("3 selected");
});

test("a search selects, and the host hears of it as bytes", () => {
  one<HTMLInputElement>(".ls-search").value = "wine 69";
  one("form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  expect(selected()).toEqual([69]);
});

test("an unclear search is answered in words and selects nothing", () => {
  one<HTMLInputElement>(".ls-search").value = "colour > 3";
  one("form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  expect(one(".ls-answer").textContent).toContain("colour");
  expect(selected()).toEqual([]);
});

test("a level is switched by its button and by the host", () => {
  one("[data-level=classes].ls-button").click();
  expect(model.get("level")).toBe("classes");
  expect(one(".ls-stage").dataset.level).toBe("classes");
  // The side panel goes with it, where somebody asked for the level.
  expect(one("[role=tab][aria-selected=true]").textContent).toBe("Prototypes");
  model.set("level", "data");
  expect(one(".ls-stage").dataset.level).toBe("data");
});

test("a colouring is chosen from the list", () => {
  one("button[aria-label=Color]").click();
  one("[data-value='certainty']").click();
  expect(model.get("color_by")).toBe("certainty");
  expect(one(".ls-scale").textContent).toContain("Certainty");
});

test("long lists are searched", () => {
  one("button[aria-label=Color]").click();
  const input = one<HTMLInputElement>(".ls-popup:not([hidden]) input");
  input.value = "alco";
  input.dispatchEvent(new Event("input"));
  const shown = [...document.querySelectorAll("[role=option]")];
  expect(shown.map((option) => option.textContent)).toEqual(["alcohol"]);
});

test("prototypes on the map are buttons that choose them", () => {
  const mark = one("[data-prototype='1']");
  mark.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(one("[data-tab=prototypes]").getAttribute("aria-selected")).toBe("true");
});

test("prototypes can be taken off the map, and put back", () => {
  const button = one("[aria-label='Show the prototypes']");
  expect(button.getAttribute("aria-pressed")).toBe("true");
  expect(one(".ls-map-key").textContent).toContain("Prototype");
  button.click();
  expect(button.getAttribute("aria-pressed")).toBe("false");
  expect(one(".ls-map-key").textContent).not.toContain("Prototype");
});

test("one can search on every level", () => {
  one("[data-level=classes].ls-button").click();
  expect(one(".ls-search").closest("[hidden]")).toBeNull();
  expect(one("[data-tool=lasso]").closest("[hidden]")).not.toBeNull();
});

test("what is saved with a picture is what the page says of it", () => {
  const el = document.createElement("div");
  const store = new Store({ theme: "light" });
  const view = new View(el, { scene: madeScene(), store, asker: null }, 400);
  expect(view.words().join(" ")).toContain("copies stay together.");
  store.set({ level: "classes" });
  expect(view.words()[0]).toContain("nearest prototype on this map");
  view.destroy();
});

test("Escape clears the selection", () => {
  model.set("selection", new DataView(Uint32Array.of(5).buffer));
  one(".ls-data").dispatchEvent(
    new KeyboardEvent("keydown", { key: "Escape", bubbles: true }),
  );
  expect(selected()).toEqual([]);
});

test("Escape in the search box takes back what was found", () => {
  model.set("selection", new DataView(Uint32Array.of(5).buffer));
  const key = { key: "Escape", bubbles: true };
  one(".ls-search").dispatchEvent(new KeyboardEvent("keydown", key));
  expect(selected()).toEqual([]);
});

test("a search that finds nothing leaves the selection alone, and says so", () => {
  model.set("selection", new DataView(Uint32Array.of(5).buffer));
  one<HTMLInputElement>(".ls-search").value = "nobody";
  one("form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  expect(selected()).toEqual([5]);
  expect(one(".ls-answer").textContent).toBe("Nothing found.");
});

test("errors only: where there are none it is said, and counts are of errors", () => {
  const el = document.createElement("div");
  const scene = madeScene();
  const right = { ...scene, predictions: scene.labels };
  const store = new Store({ colorBy: "errors", selection: Uint32Array.of(0) });
  const view = new View(el, { scene: right, store, asker: null }, 400);
  const legend = el.querySelector<HTMLElement>(".ls-legend");
  expect(legend?.querySelector<HTMLElement>("[role=status]")?.textContent).toBe(
    "No errors among 60 points.",
  );
  expect(legend?.querySelector(".ls-count")?.textContent).toBe("0 / 0");
  store.set({ colorBy: "class" });
  expect(legend?.querySelector<HTMLElement>("[role=status]")?.hidden).toBe(true);
  expect(legend?.querySelector(".ls-count")?.textContent).toBe("1 / 20");
  view.destroy();
});

test("on another level nothing is under the pointer", () => {
  const el = document.createElement("div");
  const store = new Store({ hover: 3 });
  const view = new View(el, { scene: madeScene(), store, asker: null }, 400);
  store.set({ level: "classes" });
  expect(store.state.hover).toBeNull();
  expect(el.querySelector<HTMLElement>("[role=tooltip]")?.hidden).toBe(true);
  view.destroy();
});

test("the theme is the host's, and a person can change it", () => {
  expect(one(".ls-root").dataset.theme).toBe("light");
  one("[aria-label='Switch to dark mode']").click();
  expect(one(".ls-root").dataset.theme).toBe("dark");
  expect(model.get("theme")).toBe("dark");
  one("[aria-label='Switch to light mode']").click();
  expect(one(".ls-root").dataset.theme).toBe("light");
  model.set("theme", "dark");
  expect(one(".ls-root").dataset.theme).toBe("dark");
});

test("a theme that is left open follows JupyterLab, live", async () => {
  model.set("theme", "auto");
  document.body.setAttribute("data-jp-theme-light", "false");
  await new Promise((resolve) => setTimeout(resolve));
  expect(one(".ls-root").dataset.theme).toBe("dark");
  const paint = one(".ls-root").style.getPropertyValue("--ls-class-10");
  expect(paint).not.toBe("#332288");
  document.body.setAttribute("data-jp-theme-light", "true");
  await new Promise((resolve) => setTimeout(resolve));
  expect(one(".ls-root").dataset.theme).toBe("light");
  expect(one(".ls-root").style.getPropertyValue("--ls-class-10")).toBe("#332288");
  document.body.removeAttribute("data-jp-theme-light");
});

test("without WebGL the page says so in words, and can be told to stop", () => {
  expect(one(".ls-notice").textContent).toContain("no WebGL");
  one(".ls-notice button").click();
  expect(document.querySelector(".ls-notice")).toBeNull();
});

test("a map that is still being made is announced", () => {
  model.set("forming_words", "Iteration 30 of 300");
  model.set("forming", new DataView(new Float32Array(2 * 178).buffer));
  expect(one(".ls-forming").hidden).toBe(false);
  expect(one(".ls-forming").textContent).toBe("Iteration 30 of 300");
  model.set("forming", new DataView(new ArrayBuffer(0)));
  expect(one(".ls-forming").hidden).toBe(true);
});

/** A model with somebody behind it, who asks for a picture. */
class Asking extends FrozenModel {
  readonly send = vi.fn();

  ask(number: number): void {
    this.tell("msg:custom", { kind: "picture", number });
  }
}

test("a picture that cannot be made is told of, here and to whoever asked", async () => {
  const decode = vi.spyOn(HTMLImageElement.prototype, "decode");
  decode.mockRejectedValue(new Error("The image is too large."));
  const words = "The picture was not saved. The image is too large.";
  one(".ls-notice button").click();
  one("[aria-label='Save as PNG']").click();
  await vi.waitFor(() => expect(one(".ls-notice").textContent).toContain(words));

  stop();
  const asking = new Asking({ scene: model.get("scene"), theme: "light" });
  stop = render({ model: asking, el: document.body });
  asking.ask(4);
  await vi.waitFor(() =>
    expect(asking.send).toHaveBeenCalledWith({ kind: "refused", number: 4, words }),
  );
  expect(one(".ls-stage-box > .ls-notice").textContent).toContain(words);
  decode.mockRestore();
});

test("nothing of the page stays when it is taken away", () => {
  stop();
  expect(document.querySelector(".ls-root")).toBeNull();
});

test("without a model an object still has its page", () => {
  const el = document.createElement("div");
  const store = new Store({ theme: "light" });
  const scene = { ...madeScene(), model: null };
  const view = new View(el, { scene, store, asker: null }, 400);
  const tabs = Array.from(el.querySelectorAll("[role=tab]"), (tab) => tab.textContent);
  expect(tabs).toEqual([
    "Summary",
    "Selection",
    "Point",
    "Table",
    "Features",
    "Quality",
  ]);
  view.destroy();
});

test("every button has a name, and one that is only a picture says what it does", () => {
  const nameless = [...document.querySelectorAll("button")].filter(
    (one) => !(one.getAttribute("aria-label") || one.textContent?.trim()),
  );
  expect(nameless).toEqual([]);
  const pictures = [...document.querySelectorAll("button")].filter(
    (one) => !one.textContent?.trim(),
  );
  expect(pictures.length).toBeGreaterThan(5);
  for (const one of pictures) {
    expect(one.title).toBe(one.getAttribute("aria-label"));
    expect(one.title).not.toBe("");
  }
});

test("opening an object makes one stage, and the host hears of one level", () => {
  one("[data-level=classes].ls-button").click();
  const made = vi.spyOn(one(".ls-stage-box"), "replaceChildren");
  const levels: unknown[] = [];
  model.on("change:level", () => levels.push(model.get("level")));
  const mark = one("[data-object][role=button]");
  mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(made).toHaveBeenCalledOnce();
  expect(levels).toEqual(["object"]);
  expect(model.get("object")).toBe(Number(mark.dataset.object));
  expect(one(".ls-stage").dataset.level).toBe("object");
});

test("who opens an object by keys on the stage is on the next stage", () => {
  one("[data-level=classes].ls-button").click();
  model.set("selection", new DataView(Uint32Array.of(5).buffer));
  const mark = one("[data-object][role=button]");
  mark.focus();
  mark.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(one(".ls-stage").dataset.level).toBe("object");
  expect(one(".ls-stage").contains(document.activeElement)).toBe(true);
  const key = { key: "Escape", bubbles: true };
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
  expect(selected()).toEqual([]);
});

test("who opens an object by keys on a page is at the tab of the next page", () => {
  one("[data-tab=table]").click();
  const grid = one("[role=grid]");
  grid.focus();
  grid.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(one("[data-page=table]").hidden).toBe(true);
  expect(document.activeElement).toBe(one("[data-tab=object]"));
});

test("who is elsewhere stays there when stage and page change", () => {
  const level = one("[data-level=classes].ls-button");
  level.focus();
  level.click();
  expect(document.activeElement).toBe(level);
});
