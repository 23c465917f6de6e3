import { expect, test } from "vitest";
import {
  className,
  classOf,
  classOrder,
  classTitle,
  distinctNames,
  objectId,
  prototypeName,
  prototypeNumber,
  shortened,
} from "../../src/scene/names";
import type { SceneModel } from "../../src/scene/scene";
import { bareScene, madeScene, strings, tensor } from "../made_scene";

test("the largest code means no class, in one byte and in two", () => {
  const scene = madeScene();
  expect(classOf(tensor(Uint8Array.of(1, 255)), 1)).toBe(-1);
  expect(classOf(tensor(Uint16Array.of(300, 65535)), 1)).toBe(-1);
  expect(classOf(tensor(Uint16Array.of(300, 65535)), 0)).toBe(300);
  expect(className(scene, tensor(Uint8Array.of(1, 255)), 0)).toBe("class 1");
  expect(className(scene, tensor(Uint8Array.of(1, 255)), 1)).toBeNull();
  expect(className(scene, null, 0)).toBeNull();
});

test("an object without an id is called after its row", () => {
  expect(objectId(bareScene(), 7)).toBe("row 7");
  expect(objectId({ ...bareScene(), ids: strings(["", "b"]) }, 0)).toBe("row 0");
  expect(objectId({ ...bareScene(), ids: strings(["", "b"]) }, 1)).toBe("b");
});

test("prototypes are numbered where their class has several", () => {
  const scene = madeScene({ perClass: 2 });
  const model = scene.model as SceneModel;
  expect(prototypeName(scene, model, 0)).toBe("<b>bold</b>, no. 1");
  expect(prototypeName(scene, model, 1)).toBe("<b>bold</b>, no. 2");
  expect(prototypeName(scene, model, 2)).toBe("class 1, no. 1");
  const single = madeScene();
  expect(prototypeName(single, single.model as SceneModel, 1)).toBe("class 1");
  expect(prototypeNumber(single.model as SceneModel, 1)).toBeNull();
});

test("sorted names are listed as people count, and a chosen order stays", () => {
  expect(classOrder({ classes: ["kind 1", "kind 10", "kind 2"] })).toEqual([0, 2, 1]);
  expect(classOrder({ classes: ["low", "middle", "high"] })).toEqual([0, 1, 2]);
});

test("long names keep both ends, and no character is cut in two", () => {
  expect(shortened("short", 10)).toBe("short");
  expect(shortened("a  b\nc", 10)).toBe("a b c");
  expect(shortened("abcdefghij", 5)).toBe("ab…ij");
  expect(shortened("🍷🍷🍷🍷🍷🍷", 4)).toBe("🍷🍷…🍷");
  expect(shortened("abc", 2)).toBe("a…");
});

test("a name that is empty is called so, and one from right to left keeps to itself", () => {
  const scene = { ...madeScene(), classes: [" ", "שלום", "c"] };
  expect(classTitle(scene, 0)).toBe("(empty)");
  expect(classTitle(scene, -1)).toBe("no class");
  const model = scene.model as SceneModel;
  expect(prototypeName(scene, model, 0)).toBe("(empty)");
  expect(prototypeName(scene, model, 1)).toBe("\u2068שלום\u2069");
});

test("names that are alike at both ends are told apart by what differs", () => {
  const names = [0, 1, 2].map(
    (i) => `Concentration of sugar at visit ${i} (mmol/l), adj.`,
  );
  const short = distinctNames([...names, "age"], 24);
  expect(new Set(short).size).toBe(4);
  short.slice(0, 3).forEach((name, i) => {
    expect(name).toMatch(new RegExp(`^Concentr….*visit ${i}`));
    expect(name.length).toBeLessThanOrEqual(24);
  });
  expect(short[3]).toBe("age");
  expect(distinctNames(["same name here", "same name here"], 8)).toEqual([
    "same…ere",
    "same…ere",
  ]);
});
