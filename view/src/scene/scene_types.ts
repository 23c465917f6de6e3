/** The records of a scene, written by scripts/wire_types.py from scene.py. */

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

/** Many texts, decoded one at a time to save memory, for example for a million ids. */
export interface Strings {
  readonly length: number;
  at(index: number): string;
}

/** One line of a summary: a question and its answer, with a color. */
export interface Light {
  readonly question: string;
  readonly state: "good" | "fair" | "bad" | "none";
  readonly answer: string;
  readonly figure: string;
  readonly detail: string;
  readonly measured: string;
}

/** A feature that contradicts a label. */
export interface Against {
  readonly feature: string;
  readonly value: number;
  readonly usual_given: number;
  readonly usual_likely: number;
}

/** The features that separate two groups of samples, A and B. */
export interface ClassDifference {
  readonly a: string;
  readonly b: string;
  readonly best: readonly (readonly string[])[];
  readonly accuracy: readonly number[];
}

/** Two classes that are confused on held-out samples. */
export interface MixedPair {
  readonly a: string;
  readonly b: string;
  readonly share: number;
  readonly rows: Tensor<Uint32Array>;
}

/** A sample whose label looks wrong, with the evidence. */
export interface Suspect {
  readonly row: number;
  readonly given: string;
  readonly likely: string;
  readonly p_given: number;
  readonly p_likely: number;
  readonly chance_wrong: number | null;
  readonly near_given: readonly number[];
  readonly near_likely: readonly number[];
  readonly against: readonly Against[];
}

/** Small images of equal size: (n, height, width, channels). */
export interface Thumbnails {
  readonly pixels: Tensor<Uint8Array>;
}

/** Image files, one after the other; an empty file means no image. */
export interface Images {
  readonly offsets: Tensor<Uint32Array>;
  readonly bytes: Tensor<Uint8Array>;
}

/** One feature of all points, with the range of its values. */
export interface Feature {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly values: Float32Array;
  readonly kind: "date" | "truth" | null;
  readonly imputed: Uint32Array | null;
}

/** A column of the user's table: categories, or a column that is only shown. */
export interface SceneColumn {
  readonly name: string;
  readonly numbers: Feature | null;
  readonly words: readonly string[];
  readonly codes: Tensor<Uint8Array | Uint16Array> | null;
  readonly texts: Strings | null;
  readonly features: Tensor<Uint32Array> | null;
  readonly patterns: Tensor<Float32Array> | null;
}

/** Errors of the neighborhood of each point, from 0 to 1. */
export interface Distortion {
  readonly false_neighbours: Tensor<Float32Array>;
  readonly tears: Tensor<Float32Array>;
}

/** Distance of each point from its predicted position; NaN if not tested. */
export interface PlaceErrors {
  readonly errors: Tensor<Float32Array>;
  readonly misplaced: Tensor<Uint32Array>;
}

/** The predicted class of each cell of a grid; row 0 is at the bottom, y0. */
export interface Regions {
  readonly box: readonly [number, number, number, number];
  readonly labels: Tensor<Uint8Array | Uint16Array>;
  readonly certainty: Tensor<Uint8Array>;
  readonly support: Tensor<Uint8Array>;
  readonly agreement: number | null;
  readonly share_far: number;
  readonly words: string;
  readonly contradicts: Tensor<Uint8Array> | null;
  readonly by: string;
  readonly accuracy: number | null;
}

/** One measure of a map, and its value in the data if it has one. */
export interface QualityRow {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly original: number | null;
  readonly meaning: string;
}

/** R_NX, trustworthiness and continuity at up to 200 neighborhood sizes. */
export interface Curve {
  readonly k: Tensor<Uint32Array>;
  readonly r_nx: Tensor<Float32Array>;
  readonly trustworthiness: Tensor<Float32Array> | null;
  readonly continuity: Tensor<Float32Array> | null;
}

/** Distances of sampled pairs in the data and on the map. */
export interface Shepard {
  readonly original: Tensor<Float32Array>;
  readonly shown: Tensor<Float32Array>;
}

/** The quality of a map: its measures and curves. */
export interface Quality {
  readonly rows: readonly QualityRow[];
  readonly note: string;
  readonly curve: Curve | null;
  readonly shepard: Shepard | null;
}

/** One number of the certificate, its interval, and its expected value by chance. */
export interface HonestyRow {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly shuffled: number | null;
}

/** The test of a map, or of a classifier. */
export interface Honesty {
  readonly verdict: string;
  readonly real: "yes" | "partly" | "no" | "untested" | null;
  readonly kept: "all" | "most" | "little" | null;
  readonly lights: readonly Light[];
  readonly rows: readonly HonestyRow[];
  readonly notes: readonly string[];
  readonly by_class: readonly (number | null)[];
  readonly pairs: readonly MixedPair[];
  readonly k: number | null;
}

/** An island (cluster) of a map, and whether it is stable. */
export interface SceneIsland {
  readonly state: "good" | "fair" | "bad" | "none";
  readonly answer: string;
  readonly words: string;
  readonly holds: string;
  readonly stability: number;
  readonly members: Tensor<Uint32Array>;
}

/** The islands of a map, largest first, with sentences about them. */
export interface Islands {
  readonly islands: readonly SceneIsland[];
  readonly words: readonly string[];
}

/** The longest feature arrows of a linear map. */
export interface Arrows {
  readonly origin: readonly [number, number];
  readonly features: readonly string[];
  readonly vectors: Tensor<Float32Array>;
}

/** The third coordinate of points (n) and prototypes (k) of a 3-D map. */
export interface Depth {
  readonly points: Tensor<Float32Array>;
  readonly prototypes: Tensor<Float32Array> | null;
}

/** One map of all points. */
export interface SceneMap {
  readonly name: string;
  readonly words: string;
  readonly positions: Tensor<Float32Array>;
  readonly prototypes: Tensor<Float32Array> | null;
  readonly distortion: Distortion | null;
  readonly regions: Regions | null;
  readonly quality: Quality | null;
  readonly honesty: Honesty | null;
  readonly stretch: readonly [number, number];
  readonly warnings: readonly string[];
  readonly judged_right: Tensor<Float32Array> | null;
  readonly place_errors: PlaceErrors | null;
  readonly islands: Islands | null;
  readonly arrows: Arrows | null;
  readonly depth: Depth | null;
  readonly borders: Tensor<Float32Array> | null;
}

/** The prototypes, and the samples that represent them. */
export interface Prototypes {
  readonly values: Tensor<Float64Array>;
  readonly labels: Tensor<Uint8Array | Uint16Array>;
  readonly n_members: Tensor<Uint32Array>;
  readonly medoids: Tensor<Int32Array>;
  readonly typical: Tensor<Int32Array>;
  readonly hardest: Tensor<Int32Array>;
  readonly distances: Tensor<Float64Array>;
}

/** The metric of a model, in units of the data. */
export interface Metric {
  readonly kind: "euclidean" | "diagonal" | "factor" | "local";
  readonly factors: Tensor<Float64Array> | null;
}

/** Explanations of the predictions for some points. */
export interface Explanations {
  readonly objects: Tensor<Uint32Array>;
  readonly contributions: Tensor<Float32Array>;
  readonly changes: Tensor<Float32Array>;
  readonly change_distances: Tensor<Float32Array>;
  readonly change_classes: Tensor<Uint8Array | Uint16Array>;
}

/** All prototypes and some points, in the space of the model. */
export interface ClassLevel {
  readonly weighting: "prototype" | "same_class" | "object" | "uniform";
  readonly objects: Tensor<Uint32Array>;
  readonly object_positions: Tensor<Float32Array>;
  readonly prototype_positions: Tensor<Float32Array>;
  readonly agreement: number | null;
}

/** Centers of groups within each class, on their own map. */
export interface Compressed {
  readonly positions: Tensor<Float32Array>;
  readonly labels: Tensor<Uint8Array | Uint16Array>;
  readonly counts: Tensor<Uint32Array>;
  readonly member_of: Tensor<Uint8Array | Uint16Array | Uint32Array>;
}

/** A prototype model and its predictions. */
export interface SceneModel {
  readonly name: string;
  readonly words: string;
  readonly prototypes: Prototypes;
  readonly member_of: Tensor<Uint8Array | Uint16Array | Uint32Array>;
  readonly relevances: Tensor<Float64Array> | null;
  readonly relevance_intervals: Tensor<Float64Array> | null;
  readonly class_distances: Tensor<Float32Array> | null;
  readonly class_nearest: Tensor<Uint8Array | Uint16Array | Uint32Array> | null;
  readonly squared: boolean | null;
  readonly metric: Metric | null;
  readonly unit: "data" | "standard_deviation" | "model" | null;
  readonly explanations: Explanations | null;
  readonly class_levels: readonly ClassLevel[];
  readonly compressed: Compressed | null;
  readonly accuracy: number | null;
}

/** The neighbors of points in the data, with the distances that the map uses. */
export interface Neighbors {
  readonly unit: "data" | "standard_deviation" | "model" | null;
  readonly weights: Tensor<Float64Array> | null;
  readonly nearest: Tensor<Uint8Array | Uint16Array | Uint32Array> | null;
  readonly distances: Tensor<Float32Array> | null;
}

/** A table that compares maps, as texts; the first column names the maps. */
export interface ComparisonTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly words: readonly string[];
  readonly recommended: string;
}

/** A problem in the table, the columns or rows concerned, and a remedy. */
export interface TableFinding {
  readonly code: string;
  readonly words: string;
  readonly subjects: readonly string[];
  readonly sure: "certain" | "likely";
  readonly count: number;
  readonly rows: Tensor<Uint32Array>;
  readonly remedy: readonly string[];
}

/** Labels that look wrong, confused classes, and findings about the table. */
export interface Audit {
  readonly rate: number;
  readonly summary: string;
  readonly suspects: readonly Suspect[];
  readonly pairs: readonly MixedPair[];
  readonly class_differences: readonly ClassDifference[];
  readonly findings: readonly TableFinding[];
  readonly taken_for: Tensor<Uint8Array | Uint16Array>;
  readonly look_first: readonly Suspect[];
  readonly assumed: string;
  readonly lights: readonly Light[];
}

/** Changes of a row that would change a classifier's prediction. */
export interface DecisionChanges {
  readonly columns: readonly string[];
  readonly other: Tensor<Uint32Array>;
  readonly starts: Tensor<Uint32Array>;
  readonly taken: Tensor<Uint32Array>;
  readonly answers: Tensor<Uint8Array | Uint16Array>;
}

/** A sentence about new rows, and the points that it is about. */
export interface NewRowsLine {
  readonly state: "good" | "fair" | "bad" | "none";
  readonly words: string;
  readonly rows: Tensor<Uint32Array>;
  readonly feature: string | null;
}

/** New points on an existing map; they are marked as held out. */
export interface NewRows {
  readonly name: string;
  readonly lines: readonly NewRowsLine[];
}

/** The content of a view. */
export interface Scene {
  readonly title: string;
  readonly subtitle: string;
  readonly n_points: number;
  readonly classes: readonly string[];
  readonly labels: Tensor<Uint8Array | Uint16Array> | null;
  readonly predictions: Tensor<Uint8Array | Uint16Array> | null;
  readonly certainty: Tensor<Float32Array> | null;
  readonly held_out: Tensor<Uint8Array> | null;
  readonly ids: Strings | null;
  readonly texts: Strings | null;
  readonly thumbnails: Thumbnails | null;
  readonly images: Images | null;
  readonly features: readonly Feature[];
  readonly n_features: number;
  readonly maps: readonly SceneMap[];
  readonly model: SceneModel | null;
  readonly comparison: ComparisonTable | null;
  readonly audit: Audit | null;
  readonly audit_note: string;
  readonly methods: string;
  readonly new_rows: NewRows | null;
  readonly neighbors: Neighbors | null;
  readonly columns: readonly SceneColumn[];
  readonly looks: Tensor<Uint8Array | Uint16Array> | null;
  readonly probabilities: Tensor<Float32Array> | null;
  readonly changes: DecisionChanges | null;
  readonly model_note: string;
  readonly predictions_note: string;
}

/** The explanation of a prediction; `change_distance` is None without a change. */
export interface Answer {
  readonly contributions: readonly number[];
  readonly change: readonly number[];
  readonly change_distance: number | null;
  readonly change_class: number;
}
