import { expect, test } from "vitest";
import { bestPlace } from "../../src/scene/class_points";
import type { SceneModel } from "../../src/scene/scene";
import { ClassesStage } from "../../src/stages/classes_stage";
import { bareScene, MARKUP, madeScene, tensor } from "../made_scene";
import { click, mounted, place } from "../mounted";

const scene = madeScene({ perClass: 2 });

test("all prototypes and the chosen objects are there, named and reachable", () => {
  const { el } = mounted(ClassesStage, scene);
  const prototypes = el.querySelectorAll("[data-prototype]");
  expect(prototypes).toHaveLength(6);
  expect(el.querySelectorAll("[data-object][role=button]")).toHaveLength(20);
  expect(prototypes[0].getAttribute("tabindex")).toBe("0");
  expect(prototypes[0].getAttribute("aria-label")).toMatch(
    /^Prototype <b>bold<\/b>, no. 1, represents \d+ points?$/,
  );
  expect(el.querySelector("[data-object='0']")?.getAttribute("aria-label")).toBe(
    `Point ${MARKUP}, class <b>bold</b>, predicted <b>bold</b>`,
  );
  expect(el.querySelector("img, b")).toBeNull();
});

test("axes are equal: pixels are in proportion to the positions", () => {
  const { el } = mounted(ClassesStage, scene);
  const model = scene.model as SceneModel;
  const at = model.class_levels[0].prototype_positions.data;
  const [a, b, c] = [0, 1, 2].map((p) =>
    place(el.querySelector(`[data-prototype='${p}']`)),
  );
  const scale = (b[0] - a[0]) / (at[2] - at[0]);
  expect(c[0] - a[0]).toBeCloseTo(scale * (at[4] - at[0]), 0);
  expect(c[1] - a[1]).toBeCloseTo(-scale * (at[5] - at[1]), 0);
});

test("a click or a key chooses prototypes and opens objects", () => {
  const { el, store } = mounted(ClassesStage, scene);
  click(el, "[data-prototype='1']");
  expect(store.state).toMatchObject({ prototypes: [1], tab: "prototypes" });
  expect(el.querySelector("[data-prototype='1']")?.getAttribute("aria-pressed")).toBe(
    "true",
  );
  const enter = new KeyboardEvent("keydown", { key: "Enter" });
  el.querySelector("[data-prototype='1']")?.dispatchEvent(enter);
  expect(store.state.prototypes).toEqual([]);
  const space = new KeyboardEvent("keydown", { key: " " });
  el.querySelector("[data-object='7']")?.dispatchEvent(space);
  expect(store.state).toMatchObject({ object: 7, level: "object" });
});

test("few objects far out are not in the first frame, and a click shows them", () => {
  const model = scene.model as SceneModel;
  const [level] = model.class_levels;
  const usual = mounted(ClassesStage, scene).el;
  expect(usual.querySelector<HTMLElement>(".ls-further")?.hidden).toBe(true);
  // All sixty objects near the first prototypes, and one far away.
  const near = level.object_positions.data;
  const positions = Float32Array.from({ length: 120 }, (_, i) => near[i % near.length]);
  positions.set([900, 900]);
  const objects = tensor(Uint32Array.from({ length: 60 }, (_, i) => i));
  const far = { ...level, objects, object_positions: tensor(positions, 60, 2) };
  const class_levels = [far];
  const { el } = mounted(ClassesStage, { ...scene, model: { ...model, class_levels } });
  const further = el.querySelector<HTMLElement>(".ls-further");
  expect(further?.textContent).toBe("1 farther out");
  const apart = () => {
    const [a, b] = [0, 1].map((p) =>
      place(el.querySelector(`[data-prototype='${p}']`)),
    );
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  const before = apart();
  further?.click();
  expect(further?.textContent).toBe("Back to the middle");
  expect(apart()).toBeLessThan(before / 5);
  further?.click();
  expect(apart()).toBeCloseTo(before);
});

test("the picture is that of the weighting", () => {
  const model = scene.model as SceneModel;
  const [level] = model.class_levels;
  const { data, shape } = level.prototype_positions;
  const turned = { data: data.map((_, k) => -data[k ^ 1]), shape };
  const other = {
    ...level,
    weighting: "uniform" as const,
    prototype_positions: turned,
  };
  const both = { ...scene, model: { ...model, class_levels: [level, other] } };
  const [first, second] = (["prototype", "uniform"] as const).map((weighting) => {
    const { el } = mounted(ClassesStage, both, { weighting });
    return place(el.querySelector("[data-prototype='0']"));
  });
  expect(second).not.toEqual(first);
});

test("chosen points stand among the prototypes, until the usual ones come back", () => {
  const { el } = mounted(ClassesStage, scene, { classPoints: Uint32Array.of(3, 25) });
  const known = (of: Element) =>
    place(of.querySelector("[data-object='3'][role=button]"));
  const drawn = Array.from(el.querySelectorAll("[data-object][role=button]"), (mark) =>
    mark.getAttribute("data-object"),
  );
  expect(drawn).toEqual(["3", "25"]);
  expect(el.querySelector(".ls-stage-words")?.textContent).toContain("of the 2 points");
  const again = el.querySelector<HTMLElement>(".ls-usual");
  expect(again?.hidden).toBe(false);
  const usual = mounted(ClassesStage, scene);
  expect(usual.el.querySelector<HTMLElement>(".ls-usual")?.hidden).toBe(true);
  expect(known(usual.el)).toHaveLength(2);
  const other = mounted(ClassesStage, scene, { classPoints: Uint32Array.of(25) });
  click(other.el, ".ls-usual");
  expect(other.store.state.classPoints).toBeNull();
});

test("a point with a missing value cannot stand among the prototypes", () => {
  const [first, ...others] = scene.features;
  const values = first.values.slice();
  values[25] = Number.NaN;
  const features = [{ ...first, values }, ...others];
  const chosen = { classPoints: Uint32Array.of(24, 25) };
  const { el } = mounted(ClassesStage, { ...scene, features }, chosen);
  expect(el.querySelectorAll("[data-object][role=button]")).toHaveLength(1);
});

test("a chosen point is where its distances from the prototypes fit best", () => {
  // In a plane they fit exactly.
  const at = [0, 0, 4, 1, -2, 5, 3, -3];
  const [x, y] = [1.5, 2.25];
  const wanted = [0, 1, 2, 3].map((k) => Math.hypot(x - at[2 * k], y - at[2 * k + 1]));
  const place = bestPlace(at, wanted);
  expect(place[0]).toBeCloseTo(x, 3);
  expect(place[1]).toBeCloseTo(y, 3);
  // On a prototype it is where that is.
  expect(bestPlace([2, 3], [0])).toEqual([2, 3]);
  // Elsewhere no place nearby has less stress.
  const far = wanted.map((t) => t * t + 1);
  const [a, b] = bestPlace(at, far);
  const stress = (u: number, v: number) =>
    far.reduce(
      (sum, t, k) => sum + (Math.hypot(u - at[2 * k], v - at[2 * k + 1]) - t) ** 2 / t,
      0,
    );
  for (const [du, dv] of [
    [0.1, 0],
    [-0.1, 0],
    [0, 0.1],
    [0, -0.1],
  ]) {
    expect(stress(a + du, b + dv)).toBeGreaterThan(stress(a, b));
  }
});

test("arrows lead from object to object", () => {
  const { el } = mounted(ClassesStage, scene);
  const first = el.querySelector<SVGElement>("[data-object='0']");
  const event = new KeyboardEvent("keydown", { key: "ArrowLeft" });
  first?.dispatchEvent(event);
  expect(document.activeElement?.getAttribute("data-object")).toBe("19");
});

test("an assumed value is missing in the details of an object", () => {
  const [first, ...others] = scene.features;
  const features = [{ ...first, imputed: Uint32Array.of(7) }, ...others];
  const { el } = mounted(ClassesStage, { ...scene, features });
  const told = (object: number) => {
    const mark = el.querySelector(`[data-object='${object}'][role=button]`);
    mark?.dispatchEvent(new Event("pointerenter"));
    return el.querySelector("[role=tooltip]")?.textContent;
  };
  expect(told(7)).toContain(`${first.name}missing`);
  expect(told(8)).not.toContain("missing");
});

test("details of an object are shown under the pointer, and go again", () => {
  const { el, store } = mounted(ClassesStage, scene);
  const mark = el.querySelector("[data-object='7'][role=button]");
  mark?.dispatchEvent(new Event("pointerenter"));
  expect(store.state.hover).toBe(7);
  const tooltip = el.querySelector<HTMLElement>("[role=tooltip]");
  expect(tooltip?.hidden).toBe(false);
  expect(tooltip?.textContent).toContain("object 7");
  mark?.dispatchEvent(new Event("pointerleave"));
  expect(tooltip?.hidden).toBe(true);
});

test("a stage that is taken away does not hear that its marks lose the focus", () => {
  const { el, store, panel } = mounted(ClassesStage, scene);
  const mark = el.querySelector<SVGElement>("[data-object='7'][role=button]");
  mark?.dispatchEvent(new Event("focus"));
  // Some browsers tell of it while the element is being removed.
  const root = el.querySelector(".ls-svg-stage") as HTMLElement;
  root.remove = () => {
    mark?.dispatchEvent(new Event("blur"));
    Element.prototype.remove.call(root);
  };
  panel.destroy();
  expect(store.state.hover).toBe(7);
  expect(el.childElementCount).toBe(0);
});

test("chosen objects stand out, hidden classes are gone", () => {
  const { el, store } = mounted(ClassesStage, scene);
  store.set({ selection: Uint32Array.of(4) });
  expect(el.querySelectorAll(".ls-object-mark.ls-is-chosen")).toHaveLength(1);
  expect(el.querySelector(".ls-has-selection")).not.toBeNull();
  store.set({ hiddenClasses: new Set([0]) });
  const hidden = Array.from(el.querySelectorAll<SVGElement>("[data-class='0']"));
  expect(hidden.every((mark) => mark.style.display === "none")).toBe(true);
});

test("the agreement stands below in words", () => {
  const { el } = mounted(ClassesStage, scene);
  expect(el.querySelector(".ls-stage-words")?.textContent).toContain(
    "For 95% of the 20 points here",
  );
});

test("keys zoom, and bring everything back", () => {
  const { el } = mounted(ClassesStage, scene);
  const mark = el.querySelector("[data-prototype='2']");
  const [before, zoomKey, resetKey] = [
    place(mark),
    new KeyboardEvent("keydown", { key: "+" }),
    new KeyboardEvent("keydown", { key: "0" }),
  ];
  const root = el.querySelector(".ls-svg-stage");
  root?.dispatchEvent(zoomKey);
  expect(place(mark)).not.toEqual(before);
  root?.dispatchEvent(resetKey);
  expect(place(mark)).toEqual(before);
});

test("of 80 prototypes of 40 classes, those with room around them have names", () => {
  const { el } = mounted(
    ClassesStage,
    madeScene({ nClasses: 40, perClass: 2, n: 120 }),
  );
  const shown = Array.from(el.querySelectorAll<SVGElement>(".ls-mark-label")).filter(
    (label) => label.style.display !== "none",
  );
  expect(shown.length).toBeGreaterThan(10);
});

test("a scene without a model says what is missing", () => {
  const { el, panel } = mounted(ClassesStage, bareScene());
  expect(el.textContent).toContain("no map of the classes");
  panel.destroy();
  expect(el.childElementCount).toBe(0);
});
