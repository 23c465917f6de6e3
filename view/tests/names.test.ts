import { expect, test } from "vitest";
import { className, classOf, objectId, prototypeName, shortened } from "../src/names";
import type { SceneModel } from "../src/scene";
import { bareScene, madeScene, strings, tensor } from "./made_scene";

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

test("prototypes are numbered within their class", () => {
  const scene = madeScene({ perClass: 2 });
  const model = scene.model as SceneModel;
  expect(prototypeName(scene, model, 0)).toBe("<b>bold</b> 1");
  expect(prototypeName(scene, model, 1)).toBe("<b>bold</b> 2");
  expect(prototypeName(scene, model, 2)).toBe("class 1 1");
});

test("long names keep both ends, and no character is cut in two", () => {
  expect(shortened("short", 10)).toBe("short");
  expect(shortened("a  b\nc", 10)).toBe("a b c");
  expect(shortened("abcdefghij", 5)).toBe("ab…ij");
  expect(shortened("🍷🍷🍷🍷🍷🍷", 4)).toBe("🍷🍷…🍷");
  expect(shortened("abc", 2)).toBe("a…");
});
