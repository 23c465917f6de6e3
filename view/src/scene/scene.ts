/** The scene: what a view shows. Mirror of `scene/README.md`, which explains each name. */

export type Numbers =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** An array with its shape, C order. */
export interface Tensor<T extends Numbers = Numbers> {
  readonly data: T;
  readonly shape: readonly number[];
}

/** Many texts, decoded one at a time: a million ids are never all strings at once. */
export interface Strings {
  readonly length: number;
  at(index: number): string;
}

export interface Feature {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** NaN where a value is missing. */
  readonly values: Float32Array;
  /** Days since 1970, or 0 for no and 1 for yes; just numbers without it. */
  readonly kind?: "date" | "truth" | null;
  /** Points whose value was missing and is assumed, ascending; not in older scenes. */
  readonly imputed?: Uint32Array | null;
}

export interface Regions {
  readonly box: readonly [number, number, number, number];
  readonly labels: Tensor<Uint8Array | Uint16Array>;
  readonly certainty: Tensor<Uint8Array>;
  readonly support: Tensor<Uint8Array>;
  readonly agreement: number | null;
  readonly share_far: number;
  readonly words: string;
}

interface QualityRow {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly original: number | null;
  readonly meaning: string;
}

export interface Quality {
  readonly rows: readonly QualityRow[];
  readonly note: string;
  readonly curve: {
    readonly k: Tensor<Uint32Array>;
    readonly r_nx: Tensor<Float32Array>;
  } | null;
  readonly shepard: {
    readonly original: Tensor<Float32Array>;
    readonly shown: Tensor<Float32Array>;
  } | null;
}

export interface Honesty {
  readonly verdict: string;
  readonly level: "real" | "mixed" | "made";
  readonly seen: number;
  readonly unseen: number;
  readonly gap: number;
  readonly original: number;
  readonly null: number;
  readonly p_value: number;
  readonly k: number;
  /** The p-value in words; not in older scenes. */
  readonly chance?: string;
  /** Whether the classes are apart in the data, and how much of it the map keeps. */
  readonly real?: "yes" | "partly" | "no" | "untested" | null;
  readonly kept?: "all" | "most" | "little" | null;
  /** The verdict in two parts; not in older scenes. */
  readonly finding?: string;
  readonly reason?: string;
}

export interface SceneMap {
  readonly name: string;
  readonly words: string;
  readonly positions: Tensor<Float32Array>;
  readonly prototypes: Tensor<Float32Array> | null;
  readonly distortion: {
    readonly false_neighbours: Tensor<Float32Array>;
    readonly tears: Tensor<Float32Array>;
  } | null;
  readonly regions: Regions | null;
  readonly quality: Quality | null;
  readonly honesty: Honesty | null;
  /** By how much the map is drawn larger in both directions; not in older scenes. */
  readonly stretch?: readonly [number, number];
}

export type Codes = Uint8Array | Uint16Array;

/** Indices of prototypes or centres; the largest of the type means "none". */
type Members = Uint8Array | Uint16Array | Uint32Array;

export interface Prototypes {
  readonly values: Tensor<Float64Array>;
  readonly labels: Tensor<Codes>;
  readonly n_members: Tensor<Uint32Array>;
  readonly medoids: Tensor<Int32Array>;
  readonly typical: Tensor<Int32Array>;
  readonly hardest: Tensor<Int32Array>;
  readonly distances: Tensor<Float64Array>;
}

export interface Metric {
  readonly kind: "euclidean" | "diagonal" | "factor" | "local";
  readonly factors: Tensor<Float64Array> | null;
}

export interface Explanations {
  readonly objects: Tensor<Uint32Array>;
  readonly contributions: Tensor<Float32Array>;
  readonly changes: Tensor<Float32Array>;
  readonly change_distances: Tensor<Float32Array>;
  readonly change_classes: Tensor<Codes>;
}

export interface SceneModel {
  readonly name: string;
  readonly words: string;
  readonly prototypes: Prototypes;
  readonly member_of: Tensor<Members>;
  readonly relevances: Tensor<Float64Array> | null;
  /** Not finite for a class without prototypes. */
  readonly class_distances: Tensor<Float32Array> | null;
  readonly class_nearest: Tensor<Members> | null;
  /** Whether distances are squared ones; null or absent where it is not known. */
  readonly squared?: boolean | null;
  /** In what the model sees the features; absent in older scenes. */
  readonly unit?: "data" | "standard_deviation" | "model" | null;
  readonly metric: Metric | null;
  readonly explanations: Explanations | null;
  readonly class_level: {
    readonly objects: Tensor<Uint32Array>;
    readonly object_positions: Tensor<Float32Array>;
    readonly prototype_positions: Tensor<Float32Array>;
    readonly agreement: number | null;
  } | null;
  readonly compressed: {
    readonly positions: Tensor<Float32Array>;
    readonly labels: Tensor<Codes>;
    readonly counts: Tensor<Uint32Array>;
    readonly member_of: Tensor<Members>;
  } | null;
}

export interface Scene {
  readonly title: string;
  readonly subtitle: string;
  readonly created_by: string;
  readonly n_points: number;
  readonly classes: readonly string[];
  readonly labels: Tensor<Codes> | null;
  readonly predictions: Tensor<Codes> | null;
  readonly certainty: Tensor<Float32Array> | null;
  readonly held_out: Tensor<Uint8Array> | null;
  readonly ids: Strings | null;
  readonly texts: Strings | null;
  readonly thumbnails: { readonly pixels: Tensor<Uint8Array> } | null;
  readonly images: {
    readonly offsets: Tensor<Uint32Array>;
    readonly bytes: Tensor<Uint8Array>;
  } | null;
  readonly features: readonly Feature[];
  readonly n_features: number;
  readonly maps: readonly SceneMap[];
  readonly model: SceneModel | null;
  /** The maps in numbers; null or absent where they are not compared. */
  readonly comparison?: ComparisonTable | null;
}

/** Texts; the first column names the map. */
export interface ComparisonTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly words: readonly string[];
}

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

/** Read a scene from its bytes. Arrays are views of the bytes, not copies. */
export function decodeScene(given: ArrayBuffer | ArrayBufferView): Scene {
  const bytes = aligned(given);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 12 || view.getUint32(0, false) !== 0x4c53434e) {
    throw new Error("These bytes are no Labelscape scene.");
  }
  const version = view.getUint32(4, true);
  if (version !== VERSION) {
    throw new Error(
      `This scene has format ${version}, and this view reads format ${VERSION}. ` +
        "Write it again with the same version of Labelscape.",
    );
  }
  const length = view.getUint32(8, true);
  const header = new TextDecoder().decode(bytes.subarray(12, 12 + length));
  return revive(JSON.parse(header), bytes.subarray(12 + length)) as Scene;
}

/** Index that means "none" among indices of classes. */
export function noClass(codes: Tensor<Codes>): number {
  return codes.data instanceof Uint8Array ? 255 : 65535;
}

function aligned(given: ArrayBuffer | ArrayBufferView): Uint8Array {
  const bytes = ArrayBuffer.isView(given)
    ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : new Uint8Array(given);
  // Typed arrays must begin at a multiple of their size; a host may hand over a slice.
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
    // A feature: one dimension, so the shape says nothing.
    revived.values = (revived.values as Tensor<Float32Array>).data;
    revived.imputed = (revived.imputed as Tensor<Uint32Array> | null)?.data ?? null;
  }
  // A map is drawn as it says.
  return "stretch" in revived ? stretched(revived as unknown as SceneMap) : revived;
}

function tensor(node: ArrayNode, body: Uint8Array): Tensor {
  const Kind = KINDS[node.dtype];
  if (Kind === undefined) {
    throw new Error(`This scene holds an array of an unknown type, '${node.dtype}'.`);
  }
  const size = node.shape.reduce((product, length) => product * length, 1);
  if (node.offset + size * Kind.BYTES_PER_ELEMENT > body.byteLength) {
    throw new Error("This scene is cut off: an array reaches beyond its end.");
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
 * The map as it is drawn: one that is nearly a line is drawn larger in its narrow
 * direction, everything on it multiplied by its `stretch`.
 */
export function stretched(map: SceneMap): SceneMap {
  const [sx, sy] = map.stretch ?? [1, 1];
  if (sx === 1 && sy === 1) {
    return map;
  }
  const places = ({ data, shape }: Tensor<Float32Array>): Tensor<Float32Array> => ({
    data: data.map((value, i) => value * (i % 2 === 0 ? sx : sy)),
    shape,
  });
  const { positions, prototypes, regions } = map;
  const [x0, y0, x1, y1] = regions?.box ?? [0, 0, 0, 0];
  return {
    ...map,
    positions: places(positions),
    prototypes: prototypes && places(prototypes),
    regions: regions && { ...regions, box: [sx * x0, sy * y0, sx * x1, sy * y1] },
  };
}
