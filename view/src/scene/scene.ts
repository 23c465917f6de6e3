/** The scene: the content of a view, decoded from bytes. See `scene/README.md` for all names. */

import { SCENE } from "../messages";
import type { Scene, SceneMap, Strings, Tensor } from "./scene_types";

export type * from "./scene_types";

/** Indices of classes; the largest value of the type means "none". */
export type Codes = Uint8Array | Uint16Array;

const VERSION = 1;
const MISSING = 65535;
const STEPS = 65534;

const KINDS = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

interface ArrayNode {
  readonly dtype: keyof typeof KINDS;
  readonly shape: readonly number[];
  readonly offset: number;
}

/** Decode a scene. Arrays are views of the bytes, not copies. */
export function decodeScene(given: ArrayBuffer | ArrayBufferView): Scene {
  const bytes = aligned(given);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 12 || view.getUint32(0, false) !== 0x4c53434e) {
    throw new Error(SCENE.notOne);
  }
  const version = view.getUint32(4, true);
  if (version !== VERSION) {
    throw new Error(SCENE.version(version, VERSION));
  }
  const length = view.getUint32(8, true);
  const header = new TextDecoder().decode(bytes.subarray(12, 12 + length));
  return revive(JSON.parse(header), bytes.subarray(12 + length)) as Scene;
}

/** The index that means "none" among indices of classes. */
export function noClass(codes: Tensor<Codes>): number {
  return codes.data instanceof Uint8Array ? 255 : 65535;
}

function aligned(given: ArrayBuffer | ArrayBufferView): Uint8Array {
  const bytes = ArrayBuffer.isView(given)
    ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : new Uint8Array(given);
  // Typed arrays must start at a multiple of their size, but a host may pass a slice.
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

function revive(node: unknown, body: Uint8Array): unknown {
  if (Array.isArray(node)) {
    return node.map((part) => revive(part, body));
  }
  if (node === null || typeof node !== "object") {
    return node;
  }
  const tree = node as Record<string, unknown>;
  if ("$array" in tree) {
    return tensor(tree.$array as ArrayNode, body);
  }
  if ("$strings" in tree) {
    return strings(revive(tree.$strings, body) as StringsNode);
  }
  if ("$scaled" in tree) {
    return unscaled(revive(tree.$scaled, body) as ScaledNode);
  }
  const revived: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(tree)) {
    revived[name] = revive(part, body);
  }
  if (revived.values && "low" in revived && "name" in revived) {
    // A feature has one dimension, so its shape is not needed.
    revived.values = (revived.values as Tensor<Float32Array>).data;
    revived.imputed = (revived.imputed as Tensor<Uint32Array> | null)?.data ?? null;
  }
  // A map is drawn with its `stretch`.
  return "stretch" in revived ? stretched(revived as unknown as SceneMap) : revived;
}

function tensor(node: ArrayNode, body: Uint8Array): Tensor {
  const Kind = KINDS[node.dtype];
  if (Kind === undefined) {
    throw new Error(SCENE.type(node.dtype));
  }
  const size = node.shape.reduce((product, length) => product * length, 1);
  if (node.offset + size * Kind.BYTES_PER_ELEMENT > body.byteLength) {
    throw new Error(SCENE.cutOff);
  }
  const data = new Kind(
    body.buffer as ArrayBuffer,
    body.byteOffset + node.offset,
    size,
  );
  return { data, shape: node.shape };
}

interface StringsNode {
  readonly offsets: Tensor<Uint32Array>;
  readonly bytes: Tensor<Uint8Array>;
}

function strings({ offsets, bytes }: StringsNode): Strings {
  const decoder = new TextDecoder();
  return {
    length: offsets.data.length - 1,
    at: (i) =>
      decoder.decode(bytes.data.subarray(offsets.data[i], offsets.data[i + 1])),
  };
}

interface ScaledNode {
  readonly codes: Tensor<Uint16Array>;
  readonly low: number;
  readonly high: number;
}

function unscaled({ codes, low, high }: ScaledNode): Tensor<Float32Array> {
  const step = (high - low) / STEPS;
  const data = new Float32Array(codes.data.length);
  for (let i = 0; i < data.length; i++) {
    const code = codes.data[i];
    data[i] = code === MISSING ? Number.NaN : low + code * step;
  }
  return { data, shape: codes.shape };
}

/**
 * The map as it is drawn: a map that is almost a line is enlarged in its narrow
 * direction, together with everything on it, by the factor `stretch`.
 */
export function stretched(map: SceneMap): SceneMap {
  const [sx, sy] = map.stretch;
  if (sx === 1 && sy === 1) {
    return map;
  }
  const places = ({ data, shape }: Tensor<Float32Array>): Tensor<Float32Array> => ({
    data: data.map((value, i) => value * (i % 2 === 0 ? sx : sy)),
    shape,
  });
  const { positions, prototypes, regions, arrows, borders } = map;
  const [x0, y0, x1, y1] = regions?.box ?? [0, 0, 0, 0];
  return {
    ...map,
    positions: places(positions),
    prototypes: prototypes && places(prototypes),
    borders: borders && places(borders),
    arrows: arrows && {
      ...arrows,
      origin: [sx * arrows.origin[0], sy * arrows.origin[1]],
      vectors: places(arrows.vectors),
    },
    regions: regions && { ...regions, box: [sx * x0, sy * y0, sx * x1, sy * y1] },
  };
}

/** A function whose result is stored for each object, because it is used in every frame. */
export function once<K extends object, V>(find: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? find(key);
    known.set(key, value);
    return value;
  };
}

/** 1 for some of n points, and 0 for the others. */
export function maskOf(points: ArrayLike<number>, n: number): Uint32Array {
  const mask = new Uint32Array(n);
  for (let k = 0; k < points.length; k++) {
    mask[points[k]] = 1;
  }
  return mask;
}

/** The position of a number in an ascending array; -1 if it is missing. */
export function positionIn(ascending: Uint32Array, wanted: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return ascending[low] === wanted ? low : -1;
}
