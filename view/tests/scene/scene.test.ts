import { describe, expect, it, test } from "vitest";
import { decodeScene, noClass, type Regions, stretched } from "../../src/scene/scene";
import { madeScene, tensor } from "../made_scene";

/** The bytes of a header and a body. */
function written(header: string, body: number[] = [], version = 1): Uint8Array {
  const text = new TextEncoder().encode(header);
  const length = Math.ceil((12 + text.length) / 8) * 8 - 12;
  const bytes = new Uint8Array(12 + length + body.length).fill(32);
  const view = new DataView(bytes.buffer);
  bytes.set([0x4c, 0x53, 0x43, 0x4e]);
  view.setUint32(4, version, true);
  view.setUint32(8, length, true);
  bytes.set(text, 12);
  bytes.set(body, 12 + length);
  return bytes;
}

const ARRAY = '{"labels": {"$array": {"dtype": "uint8", "shape": [3], "offset": 0}}}';

test("arrays are views of the bytes", () => {
  const bytes = written(ARRAY, [0, 1, 255]);
  const { labels } = decodeScene(bytes);
  expect([...(labels?.data ?? [])]).toEqual([0, 1, 255]);
  expect(labels?.data.buffer).toBe(bytes.buffer);
});

test("bytes that begin anywhere are read all the same", () => {
  const bytes = written(ARRAY, [4, 5, 6]);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const { labels } = decodeScene(shifted.subarray(3));
  expect([...(labels?.data ?? [])]).toEqual([4, 5, 6]);
});

test("what is no scene, or one of another time, is refused in words", () => {
  expect(() => decodeScene(new Uint8Array(20))).toThrow("not a Labelscape map");
  expect(() => decodeScene(written("{}", [], 9))).toThrow("format 9");
  expect(() => decodeScene(written(ARRAY, [1]))).toThrow("incomplete");
  const unknown = ARRAY.replace("uint8", "object");
  expect(() => decodeScene(written(unknown, [1, 2, 3]))).toThrow("'object'");
});

test("the largest code means no class", () => {
  expect(noClass(tensor(new Uint8Array(1)))).toBe(255);
  expect(noClass(tensor(new Uint16Array(1)))).toBe(65535);
});

test("numbers in 16 bits are read with their shape", () => {
  const scaled = (shape: string) =>
    `{"$scaled": {"codes": {"$array": {"dtype": "uint16", "shape": ${shape}, ` +
    '"offset": 0}}, "low": 1, "high": 3}}';
  const codes = [0, 0, 254, 255, 255, 255, 255, 127];
  const both =
    `{"certainty": ${scaled("[2, 2]")}, ` +
    `"features": [{"name": "a", "low": 1, "high": 3, "values": ${scaled("[4]")}}]}`;
  const { certainty, features } = decodeScene(written(both, codes));
  expect(certainty?.shape).toEqual([2, 2]);
  expect([...(certainty?.data ?? [])]).toEqual([1, 3, Number.NaN, 2]);
  expect(features[0].values).toEqual(certainty?.data);
});

test("assumed values are read as points", () => {
  const array = (dtype: string) =>
    `{"$array": {"dtype": "${dtype}", "shape": [1], "offset": 0}}`;
  const feature = `"name": "a", "low": 0, "high": 1, "values": ${array("float32")}`;
  const two = `{"features": [{${feature}, "imputed": ${array("uint32")}},
    {${feature}, "imputed": null}]}`;
  const { features } = decodeScene(written(two, [7, 0, 0, 0]));
  expect(features.map(({ imputed }) => imputed)).toEqual([Uint32Array.of(7), null]);
});

describe("stretched", () => {
  const prototypes = tensor(Float32Array.of(1, 2, 3, 4), 2, 2);
  const cells = tensor(Uint8Array.of(0), 1, 1);
  const regions: Regions = {
    box: [-1, -2, 3, 4],
    labels: cells,
    certainty: cells,
    support: cells,
    agreement: null,
    share_far: 0,
    words: "",
    contradicts: null,
    by: "",
    accuracy: null,
  };
  const map = { ...madeScene().maps[0], prototypes, regions };

  it("draws points, prototypes and regions larger in the narrow direction", () => {
    const drawn = stretched({ ...map, stretch: [1, 8] });
    const { positions } = map;
    expect(drawn.positions.data[2]).toBe(positions.data[2]);
    expect(drawn.positions.data[3]).toBeCloseTo(8 * positions.data[3], 4);
    expect(drawn.prototypes?.data).toEqual(Float32Array.of(1, 16, 3, 32));
    expect(drawn.regions?.box).toEqual([-1, -16, 3, 32]);
  });

  it("leaves other maps as they are", () => {
    expect(stretched(map)).toBe(map);
    expect(stretched({ ...map, stretch: [1, 1] }).positions).toBe(map.positions);
  });
});

test("arrows are drawn as the map is: larger in its narrow direction", () => {
  const [map] = madeScene().maps;
  const vectors = tensor(Float32Array.of(1, 2, 3, 4), 2, 2);
  const arrows = { origin: [1, 1] as const, features: ["a", "b"], vectors };
  const drawn = stretched({ ...map, arrows, stretch: [1, 8] }).arrows;
  expect(drawn?.origin).toEqual([1, 8]);
  expect([...(drawn?.vectors.data ?? [])]).toEqual([1, 16, 3, 32]);
});
