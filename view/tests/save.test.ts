import { expect, test } from "vitest";
import { svg } from "../src/elements";
import { composed } from "../src/save";
import { Store } from "../src/state";
import { bareScene, madeScene } from "./made_scene";

const stage = () => svg("svg", { width: 400, height: 300 });
const scene = madeScene();

function picture(change: object, given = scene): SVGSVGElement {
  const store = new Store({ theme: "light", ...change });
  return composed(stage(), { scene: given, store, asker: null });
}

test("a saved picture has title, classes and verdict, all as text", () => {
  const page = picture({});
  expect(page.textContent).toContain("Made");
  expect(page.textContent).toContain("<b>bold</b>");
  expect(page.textContent).toContain("there for unseen points.");
});

test("the verdict has its mark, in the shape of its level", () => {
  const [map] = scene.maps;
  const shapes = (["real", "mixed", "made"] as const).map((level) => {
    const honesty = map.honesty && { ...map.honesty, level };
    const page = picture({}, { ...scene, maps: [{ ...map, honesty }] });
    const mark = page.lastElementChild;
    return mark?.getAttribute("d") ?? mark?.getAttribute("r");
  });
  expect(new Set(shapes).size).toBe(3);
});

test("what has no verdict has no mark", () => {
  expect(picture({}, bareScene()).lastElementChild?.tagName).not.toBe("circle");
  expect(picture({ level: "classes" }).lastElementChild?.tagName).toBe("text");
});
