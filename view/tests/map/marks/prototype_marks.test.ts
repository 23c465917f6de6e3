import { expect, test } from "vitest";
import { besidePrototypes } from "../../../src/map/marks/labels";
import { markRadius, PrototypeMarks } from "../../../src/map/marks/prototype_marks";
import { Projection } from "../../../src/map/projection";
import { START, Store } from "../../../src/state";
import { madeScene, tensor } from "../../made_scene";

const stage = { width: 800, height: 700 };
const made = madeScene();
const prototypes = tensor(Float32Array.of(0, 0, 1, 0, 0, 1), 3, 2);
const scene = { ...made, maps: [{ ...made.maps[0], prototypes }] };
const projection = new Projection({ x: 0, y: 0, scale: 100 }, stage, null);
const marks = () => new PrototypeMarks({ scene, store: new Store(), asker: null });

test("marks are small where they are many or the map is small, and outgrow points", () => {
  const usual = markRadius(3, stage, 6);
  expect(markRadius(40, stage, 6)).toBe(usual);
  expect(markRadius(400, stage, 6)).toBeLessThan(usual);
  expect(markRadius(40, { width: 270, height: 270 }, 4)).toBeLessThan(usual / 2);
  expect(2 * markRadius(400, { width: 100, height: 100 }, 12)).toBeGreaterThan(12);
});

test("marks are shown with their classes, and can be put away", () => {
  const shown = (change: object) =>
    marks().shown(projection, { ...START, ...change }, stage, 6);
  expect(shown({}).map(({ at }) => at)).toEqual([
    [400, 350],
    [500, 350],
    [400, 250],
  ]);
  expect(shown({ hiddenClasses: new Set([1]) }).map(({ own }) => own)).toEqual([0, 2]);
  expect(shown({ marks: false })).toEqual([]);
});

test("a mark on points that lie close together is small, and grows when zoomed in", () => {
  const { length } = made.model?.member_of.data ?? [];
  const own = Array.from({ length: length ?? 0 }, (_, i) =>
    Number(made.model?.member_of.data[i]),
  );
  // Those of the first prototype are within a pixel, the others far around theirs.
  const at = own.flatMap((k, i) => {
    const reach = k === 0 ? 0.01 : 1;
    const place = [prototypes.data[2 * k], prototypes.data[2 * k + 1]];
    return [place[0] + reach * Math.cos(i), place[1] + reach * Math.sin(i)];
  });
  const positions = tensor(Float32Array.from(at), at.length / 2, 2);
  const crowded = { ...scene, maps: [{ ...scene.maps[0], positions }] };
  const layer = new PrototypeMarks({ scene: crowded, store: new Store(), asker: null });
  const radii = (scale: number) =>
    layer
      .shown(new Projection({ x: 0, y: 0, scale }, stage, null), START, stage, 6)
      .map(({ radius }) => radius);
  const [first, second, third] = radii(100);
  expect(first).toBe(3);
  expect(second).toBe(markRadius(3, stage, 6));
  expect(third).toBe(second);
  expect(radii(10_000)[0]).toBe(second);
});

test("marks look alike wherever they stand, and go with what is not shown", () => {
  const layer = marks();
  layer.draw(layer.shown(projection, START, stage, 6), START);
  const looks = Array.from(layer.el.querySelectorAll("[data-prototype]"), (mark) =>
    Array.from(mark.querySelectorAll("path"), (path) => path.getAttribute("d")).join(),
  );
  expect(new Set(looks).size).toBe(1);
  layer.draw([], START);
  const [first] = layer.el.querySelectorAll<SVGElement>("[data-prototype]");
  expect(first.style.display).toBe("none");
});

test("class names stand beside the prototypes, over none of them", () => {
  const at = (x: number, y: number) => [x, y] as const;
  const places = [at(100, 100), at(150, 104), at(100, 112), at(300, 300)];
  const shown = places.map((place, k) => ({
    prototype: k,
    own: k,
    at: place,
    radius: 9,
  }));
  const wanted = places.map((place, index) => ({ index, text: "a name", at: place }));
  const labels = besidePrototypes(wanted, shown, () => 40, stage);
  expect(labels.length).toBeGreaterThan(2);
  for (const { x, y } of labels) {
    for (const { at: place, radius } of shown) {
      const isOver =
        Math.abs(place[0] - x) < 20 + radius && Math.abs(place[1] - y) < 6 + radius;
      expect(isOver).toBe(false);
    }
  }
  const alone = labels.find(({ index }) => index === 3);
  expect(alone).toMatchObject({ x: 300 + 9 + 2 + 4 + 20, y: 300 });
});

test("of several prototypes, the one nearest to the middle of its class is named", () => {
  const shown = [10, 200, 400].map((x, k) => ({
    prototype: k,
    own: 0,
    at: [x, 50] as const,
    radius: 5,
  }));
  const wanted = [{ index: 0, text: "it", at: [210, 80] as const }];
  const [label] = besidePrototypes(wanted, shown, () => 10, stage);
  expect(label.x).toBe(200 + 5 + 2 + 4 + 5);
});
