import { expect, test } from "vitest";
import type { SceneModel } from "../../src/scene/scene";
import { ObjectStage } from "../../src/stages/object_stage";
import { bareScene, MARKUP, madeScene, tensor } from "../made_scene";
import { click, mounted, place, values } from "../mounted";

const scene = madeScene({ perClass: 2 });
const model = scene.model as SceneModel;

test("no object chosen: a sentence that says how to choose one", () => {
  const { el } = mounted(ObjectStage, scene);
  expect(el.textContent).toContain("No point is selected.");
});

test("each class has its nearest prototype, at a radius that is its distance", () => {
  const { el } = mounted(ObjectStage, scene, { object: 4 });
  const distances = Array.from(model.class_distances?.data.subarray(12, 15) ?? []);
  const marks = Array.from(el.querySelectorAll("[data-prototype]"));
  expect(marks).toHaveLength(3);
  const centre = place(el.querySelector(".ls-center"));
  const radii = marks.map((mark) => {
    const [x, y] = place(mark);
    return Math.hypot(x - centre[0], y - centre[1]);
  });
  const numbers = values(el, "[data-prototype]");
  expect([...numbers].sort()).toEqual([...distances].sort());
  const scale = Math.max(...radii) / Math.max(...numbers);
  numbers.forEach((distance, k) => {
    expect(Math.abs(radii[k] - scale * distance)).toBeLessThan(0.3);
  });
});

test("it is said whether radii are distances or squared ones", () => {
  const { el } = mounted(ObjectStage, scene, { object: 4 });
  expect(el.querySelector(".ls-stage-words")?.textContent).toContain(
    "squared distances of the model",
  );
  expect(
    el.querySelector(".ls-prototype.ls-nearest")?.getAttribute("aria-label"),
  ).toMatch(/, squared distance [\d.]+$/);
  const plain = { ...scene, model: { ...model, squared: false } };
  const other = mounted(ObjectStage, plain, { object: 4 }).el;
  expect(other.textContent).toContain("exactly those that the model uses");
});

test("circles have the same radii, and the nearest class is emphasised", () => {
  const { el } = mounted(ObjectStage, scene, { object: 4 });
  const circles = Array.from(el.querySelectorAll(".ls-circle"), (circle) =>
    Number(circle.getAttribute("r")),
  );
  expect(circles).toHaveLength(3);
  const distances = values(el, "[data-prototype]");
  expect(Math.max(...circles) / Math.min(...circles)).toBeCloseTo(
    Math.max(...distances) / Math.min(...distances),
    -1,
  );
  const nearest = el.querySelector("[data-prototype].ls-nearest");
  expect(Number(nearest?.getAttribute("data-value"))).toBe(Math.min(...distances));
});

test("without distances between prototypes, the directions are even", () => {
  const prototypes = {
    ...model.prototypes,
    distances: tensor(new Float64Array(), 0, 0),
  };
  const { el } = mounted(
    ObjectStage,
    { ...scene, model: { ...model, prototypes } },
    { object: 4 },
  );
  const centre = place(el.querySelector(".ls-center"));
  const angles = Array.from(el.querySelectorAll("[data-prototype]"), (mark) => {
    const [x, y] = place(mark);
    const angle = Math.atan2(centre[1] - y, x - centre[0]);
    return (angle / Math.PI) * 180;
  }).sort((a, b) => a - b);
  [-120, 0, 120].forEach((angle, k) => {
    expect(Math.abs(angles[k] - angle)).toBeLessThan(1);
  });
  expect(el.textContent).toContain("Directions have no meaning");
});

test("another object is another picture; clicking chooses a prototype", () => {
  const { el, store } = mounted(ObjectStage, scene, { object: 4 });
  store.set({ object: 0 });
  expect(el.querySelector(".ls-center")?.getAttribute("aria-label")).toBe(
    `Point ${MARKUP}`,
  );
  expect(el.querySelector("img")).toBeNull();
  const mark = el.querySelector("[data-prototype]");
  const prototype = Number(mark?.getAttribute("data-prototype"));
  click(el, `[data-prototype='${prototype}']`);
  expect(store.state.prototypes).toEqual([prototype]);
  expect(mark?.getAttribute("aria-pressed")).toBe("true");
});

test("of 40 classes the 12 nearest are named, all have marks", () => {
  const { el } = mounted(ObjectStage, madeScene({ nClasses: 40, n: 80 }), {
    object: 4,
  });
  expect(el.querySelectorAll("[data-prototype]")).toHaveLength(40);
  expect(el.querySelectorAll(".ls-side-label")).toHaveLength(12);
  expect(el.querySelectorAll(".ls-circle")).toHaveLength(12);
});

test("hidden classes are gone", () => {
  const { el } = mounted(ObjectStage, scene, {
    object: 4,
    hiddenClasses: new Set([2]),
  });
  const mark = el.querySelector<SVGElement>("[data-prototype][data-class='2']");
  expect(mark?.style.display).toBe("none");
});

test("a scene without distances says so", () => {
  const { el, panel } = mounted(ObjectStage, bareScene(), { object: 1 });
  expect(el.textContent).toContain("contains no distances");
  panel.destroy();
  expect(el.childElementCount).toBe(0);
});
