/** Scenes made for tests: as many classes as wanted, names that try to be markup. */

import type {
  Feature,
  Neighbors,
  Numbers,
  Scene,
  SceneColumn,
  SceneMap,
  SceneModel,
  Strings,
  Tensor,
} from "../src/scene/scene";

export const MARKUP = "<img src=x onerror=alert(1)>";

interface Wish {
  readonly nClasses?: number;
  readonly perClass?: number;
  readonly n?: number;
  readonly d?: number;
}

export function tensor<T extends Numbers>(data: T, ...shape: number[]): Tensor<T> {
  return { data, shape: shape.length > 0 ? shape : [data.length] };
}

export function strings(given: readonly string[]): Strings {
  return { length: given.length, at: (i) => given[i] };
}

type Named<T extends { name: string }> = Pick<T, "name"> & Partial<T>;

/** A feature from 0 to 1, unless something else is said. */
export function feature(given: Named<Feature>): Feature {
  const values = new Float32Array();
  return { low: 0, high: 1, values, kind: null, imputed: null, ...given };
}

export function column(given: Named<SceneColumn>): SceneColumn {
  const none = { numbers: null, codes: null, texts: null, features: null };
  return { ...none, words: [], patterns: null, ...given };
}

/** What features count for distances in the data. */
export function weighed(unit: Neighbors["unit"], weights: Float64Array): Neighbors {
  return { unit, weights: tensor(weights), nearest: null, distances: null };
}

/** A scene with a Euclidean prototype model; prototype p has class p % C. */
export function madeScene({
  nClasses = 3,
  perClass = 1,
  n = 60,
  d = 5,
}: Wish = {}): Scene {
  const next = generator();
  const k = nClasses * perClass;
  const labels = Uint8Array.from({ length: n }, (_, i) => i % nClasses);
  const owner = Uint8Array.from({ length: k }, (_, p) => Math.floor(p / perClass));
  const W = Float64Array.from({ length: k * d }, () => 4 * next());
  const at = (i: number) =>
    labels[i] * perClass + (Math.floor(i / nClasses) % perClass);
  const X = Float64Array.from({ length: n * d }, (_, e) => {
    const [i, j] = [Math.floor(e / d), e % d];
    return Math.fround(W[at(i) * d + j] + next() - 0.5);
  });
  const features = Array.from({ length: d }, (_, j) => {
    const values = Float32Array.from({ length: n }, (_, i) => X[i * d + j]);
    const name = j === 0 ? MARKUP : `feature ${j}`;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return feature({ name, low, high, values });
  });
  const classes = Array.from({ length: nClasses }, (_, c) =>
    c === 0 ? "<b>bold</b>" : `class ${c}`,
  );
  const projection = (rows: Float64Array) =>
    tensor(
      Float32Array.from(
        { length: (rows.length / d) * 2 },
        (_, e) => rows[(e >> 1) * d + (e & 1)],
      ),
      rows.length / d,
      2,
    );
  const model = madeModel(X, W, owner, nClasses, d, projection);
  return {
    title: "Made",
    subtitle: "",
    n_points: n,
    classes,
    labels: tensor(labels),
    predictions: tensor(Uint8Array.from(model.member_of.data, (p) => owner[p])),
    certainty: tensor(Float32Array.from({ length: n }, () => 0.75)),
    held_out: null,
    ids: strings(
      Array.from({ length: n }, (_, i) => (i === 0 ? MARKUP : `object ${i}`)),
    ),
    texts: null,
    thumbnails: null,
    images: null,
    features,
    n_features: d,
    maps: [madeMap(projection(X))],
    model,
    comparison: null,
    audit: null,
    audit_note: "",
    methods: "",
    new_rows: null,
    neighbors: null,
    columns: [],
    looks: null,
    probabilities: null,
    changes: null,
    model_note: "",
    predictions_note: "",
  };
}

/** A scene of bare places: no labels, no model, no features. */
export function bareScene(n = 10): Scene {
  const scene = madeScene({ n });
  return {
    ...scene,
    classes: [],
    labels: null,
    predictions: null,
    certainty: null,
    ids: null,
    features: [],
    n_features: 0,
    maps: [{ ...scene.maps[0], honesty: null, quality: null }],
    model: null,
  };
}

function madeMap(positions: Tensor<Float32Array>): SceneMap {
  const sizes = [1, 2, 5, 10, 20, 40];
  return {
    name: "A map",
    words: "It keeps distances.",
    warnings: [],
    positions,
    prototypes: null,
    distortion: null,
    regions: null,
    quality: {
      rows: [
        {
          name: "trustworthiness",
          label: "Trustworthiness",
          value: 0.93,
          original: null,
          meaning: "neighbours on the map are neighbours in the data",
        },
        {
          name: "knn_accuracy",
          label: "Nearest neighbour",
          value: 0.91,
          original: 0.88,
          meaning: "nearest neighbour has the same class",
        },
      ],
      note: "60 points.",
      curve: {
        k: tensor(Uint32Array.from(sizes)),
        r_nx: tensor(
          Float32Array.from(sizes, (k) => 0.8 - Math.abs(Math.log10(k) - 1) / 3),
        ),
        trustworthiness: null,
        continuity: null,
      },
      shepard: {
        original: tensor(Float32Array.from({ length: 400 }, (_, i) => i / 40)),
        shown: tensor(
          Float32Array.from({ length: 400 }, (_, i) => i / 80 + (i % 7) / 7),
        ),
      },
    },
    honesty: {
      verdict:
        "The separation is real, and the map keeps most of it: neighbours agree.",
      real: "yes",
      kept: "most",
      lights: [
        {
          question: "Are the classes really separated?",
          state: "good",
          answer: "Yes",
          figure:
            "94% of held-out rows get the right class from their neighbors on this map " +
            "(chance 33%).",
          detail: "95% interval 90% to 97%; p = 0.002",
          measured: "The map is fitted to half of the rows.",
        },
        {
          question: "Does the map show all of the separation?",
          state: "fair",
          answer: "Mostly",
          figure:
            "94% of held-out rows get the right class on the map, 99% in the data.",
          detail: "",
          measured: "",
        },
      ],
      rows: [
        {
          name: "seen",
          label: "Seen objects",
          value: 0.97,
          low: null,
          high: null,
          shuffled: 0.6,
        },
        {
          name: "unseen",
          label: "Unseen objects",
          value: 0.94,
          low: 0.9,
          high: 0.97,
          shuffled: 0.35,
        },
      ],
      notes: ["846 different rows among 2,538; copies stay together."],
      by_class: [0.9, null, 0.4],
      pairs: [
        { a: "class 1", b: "class 2", share: 0.125, rows: tensor(new Uint32Array()) },
      ],
      k: 5,
    },
    stretch: [1, 1],
    judged_right: null,
    place_errors: null,
    islands: null,
    arrows: null,
    depth: null,
    borders: null,
  };
}

function madeModel(
  X: Float64Array,
  W: Float64Array,
  owner: Uint8Array,
  nClasses: number,
  d: number,
  projection: (rows: Float64Array) => Tensor<Float32Array>,
): SceneModel {
  const [n, k] = [X.length / d, W.length / d];
  const far = (A: Float64Array, i: number, p: number) => {
    let sum = 0;
    for (let j = 0; j < d; j++) {
      sum += (A[i * d + j] - W[p * d + j]) ** 2;
    }
    return sum;
  };
  const nearest = (i: number, wanted: (p: number) => boolean) =>
    Array.from({ length: k }, (_, p) => p)
      .filter(wanted)
      .reduce((best, p) => (far(X, i, p) < far(X, i, best) ? p : best));
  const of = Array.from({ length: n * nClasses }, (_, e) =>
    nearest(Math.floor(e / nClasses), (p) => owner[p] === e % nClasses),
  );
  const members = Uint32Array.from({ length: n }, (_, i) => nearest(i, () => true));
  const counts = new Uint32Array(k);
  for (const p of members) {
    counts[p] += 1;
  }
  const first = Int32Array.from({ length: k }, (_, p) => members.indexOf(p));
  const explained = Uint32Array.of(0, 4, 7);
  return {
    name: "GLVQ",
    words: "One nearest prototype decides.",
    prototypes: {
      values: tensor(W, k, d),
      labels: tensor(owner),
      n_members: tensor(counts),
      medoids: tensor(first),
      typical: tensor(first),
      hardest: tensor(first),
      distances: tensor(
        Float64Array.from({ length: k * k }, (_, e) =>
          far(W, Math.floor(e / k), e % k),
        ),
        k,
        k,
      ),
    },
    member_of: tensor(members),
    relevances: tensor(
      Float64Array.from({ length: d }, (_, j) => (2 * (j + 1)) / (d * (d + 1))),
    ),
    relevance_intervals: null,
    class_distances: tensor(
      Float32Array.from(of, (p, e) => far(X, Math.floor(e / nClasses), p)),
      n,
      nClasses,
    ),
    class_nearest: tensor(Uint32Array.from(of), n, nClasses),
    squared: true,
    metric: { kind: "euclidean", factors: null },
    explanations: {
      objects: tensor(explained),
      contributions: tensor(
        Float32Array.from({ length: 3 * d }, (_, e) => (e % d) - 1.5),
        3,
        d,
      ),
      changes: tensor(
        Float32Array.from({ length: 3 * d }, (_, e) => (e % d < 2 ? 0.5 + e : 0)),
        3,
        d,
      ),
      change_distances: tensor(Float32Array.of(0.5, 0.6, 0.7)),
      change_classes: tensor(Uint8Array.of(1, 2, 0)),
    },
    class_levels: [
      {
        weighting: "prototype",
        objects: tensor(Uint32Array.from({ length: 20 }, (_, i) => i)),
        object_positions: tensor(projection(X).data.slice(0, 40), 20, 2),
        prototype_positions: projection(W),
        agreement: 0.95,
      },
    ],
    compressed: null,
    unit: null,
    accuracy: null,
  };
}

function generator(): () => number {
  let seed = 4711;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}
