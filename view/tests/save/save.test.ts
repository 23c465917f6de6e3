import { expect, test } from "vitest";
import { composed, titleOf } from "../../src/save/save";
import { START, Store } from "../../src/state";
import { svg } from "../../src/ui/elements";
import { bareScene, madeScene, tensor } from "../made_scene";

const stage = () => svg("svg", { width: 400, height: 300 });
const scene = madeScene();
const WORDS = ["Half of it is there for unseen points.", "A map: It keeps distances."];

function picture(change: object, given = scene, words = WORDS): SVGSVGElement {
  const store = new Store({ theme: "light", ...change });
  return composed(stage(), { scene: given, store, asker: null }, words);
}

test("a saved picture has title, classes and verdict, all as text", () => {
  const page = picture({});
  expect(page.textContent).toContain("Made");
  expect(page.textContent).toContain("<b>bold</b>");
  for (const words of WORDS) {
    expect(page.textContent).toContain(words);
  }
});

test("a bare picture is the stage and its legend, without words around them", () => {
  const store = new Store({ theme: "light" });
  const page = composed(stage(), { scene, store, asker: null }, WORDS, true);
  expect(page.textContent).toContain("<b>bold</b>");
  for (const words of [...WORDS, "Made", "Are the classes really separated?"]) {
    expect(page.textContent).not.toContain(words);
  }
  const height = (one: SVGSVGElement) => Number(one.getAttribute("height"));
  expect(height(page)).toBeLessThan(height(picture({})));
});

test("lights stand below the picture, with shape, answer and figure", () => {
  const page = picture({});
  expect(page.textContent).toContain("Are the classes really separated? Yes");
  expect(page.textContent).toContain("94% of held-out rows");
  const shapes = (["good", "fair", "bad", "none"] as const).map((state) => {
    const [map] = scene.maps;
    const light = { question: "Is it?", state, answer: "so", figure: "" };
    const lights = [{ ...light, detail: "", measured: "" }];
    const honesty = map.honesty && { ...map.honesty, lights };
    const shown = picture({}, { ...scene, maps: [{ ...map, honesty }] });
    return shown.querySelector("path")?.getAttribute("d");
  });
  expect(new Set(shapes).size).toBe(4);
});

test("a picture that was not tested says so, other levels have no lights", () => {
  expect(picture({}, bareScene()).textContent).toContain("not tested");
  expect(picture({ level: "classes" }).textContent).not.toContain(
    "Are the classes really separated?",
  );
});

test("the title says which map or level it is, once", () => {
  const title = (change: object, given = scene) =>
    titleOf(given, { ...START, ...change });
  expect(title({})).toBe("Made: A map");
  expect(title({ level: "classes" })).toBe("Made: classes");
  expect(title({ level: "object", object: 5 })).toBe("Made: object 5");
  expect(title({}, { ...scene, title: "wine: ten maps" })).toBe(
    "wine: ten maps, A map",
  );
  expect(title({}, { ...scene, title: "wine: A map" })).toBe("wine: A map");
});

test("counts stand at the end of their column, apart from the names", () => {
  const texts = [...picture({}).querySelectorAll("text")];
  const name = texts.find((text) => text.textContent === "class 1");
  const count = texts.filter((text) => text.textContent === "20");
  expect(name).toBeDefined();
  expect(count).toHaveLength(3);
  expect(count[0].getAttribute("text-anchor")).toBe("end");
});

test("where colours stand for errors, errors are counted", () => {
  const labels = tensor(Uint8Array.from({ length: 60 }, () => 0));
  const predictions = tensor(
    Uint8Array.from({ length: 60 }, (_, i) => (i < 7 ? 1 : 0)),
  );
  const page = picture({ colorBy: "errors" }, { ...scene, labels, predictions });
  const words = Array.from(page.querySelectorAll("text"), (text) => text.textContent);
  expect(words).toContain("Errors");
  expect(words).toContain("7");
  expect(words).not.toContain("60");
});

test("classes that do not fit go on in another column, above the key", () => {
  const many = madeScene({ nClasses: 40, n: 80 });
  const page = picture({ level: "classes" }, many);
  expect(Number(page.getAttribute("width"))).toBeGreaterThan(400 + 3 * 208);
  expect(page.textContent).toContain("Prototype, sized");
});
