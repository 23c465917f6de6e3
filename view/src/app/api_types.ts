/** Requests and responses of the app's API, written by scripts/wire_types.py. */

import type { Light } from "../scene/scene_types";

/** What `describe_columns` reports about one column. */
export interface ColumnInfo {
  readonly name: string;
  readonly kind: string;
  readonly n_rows: number;
  readonly n_missing: number;
  readonly n_distinct: number;
  readonly examples: readonly string[];
  readonly role: "label" | "id" | "group" | "feature" | "drop" | "show" | "image" | "text";
  readonly problem: string;
  readonly odd: string;
  readonly counts_rows: boolean;
  readonly remark: string;
}

/** Name, origin and size of one data set, as listed by `available`. */
export interface DatasetInfo {
  readonly name: string;
  readonly origin: string;
  readonly n_rows: number;
  readonly n_features: number;
  readonly n_classes: number;
  readonly description: string;
}

/** The corrected classes as pairs of row and class, the oldest first. */
export interface KeptDecisions {
  readonly decisions: readonly (readonly [number, string])[];
}

/** A loaded model file. */
export interface LoadedModel {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly kind: string;
  readonly n_features: number;
  readonly classes: readonly string[];
}

/** A loaded table; `columns` is empty in a list of tables. */
export interface LoadedTable {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly n_rows: number;
  readonly n_columns: number;
  readonly columns: readonly ColumnInfo[];
  readonly reading: Reading;
  readonly embedded: string | null;
  readonly notes: readonly string[];
  readonly has_folder: boolean;
}

/** A card about a method: what it preserves, and its parameters. */
export interface MethodCard {
  readonly name: string;
  readonly title: string;
  readonly group: "map" | "prototypes" | "classifier";
  readonly words: string;
  readonly uses_labels: boolean;
  readonly is_start: boolean;
  readonly parameters: readonly Parameter[];
}

/** A requested fit. */
export interface Order {
  readonly table: string;
  readonly method: string;
  readonly reading: Reading;
  readonly parameters: { readonly [key: string]: number | string | boolean | null };
  readonly seed: number;
  readonly honesty: boolean;
  readonly islands: boolean;
  readonly audit: boolean;
  readonly model: string | null;
  readonly name: string;
}

/** A fit: its settings, state and result. */
export interface Run {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly table: string;
  readonly table_name: string;
  readonly settings: Settings;
  readonly state: "queued" | "running" | "finished" | "failed" | "cancelled" | "interrupted";
  readonly words: string;
  readonly started: number | null;
  readonly ended: number | null;
  readonly result: RunResult;
  readonly method_title: string;
  readonly can_refit: boolean;
  readonly placing_note: string;
}

/** The progress of a run, sent to a page as an event. */
export interface RunProgress {
  readonly step: "reading" | "loading" | "choosing" | "fitting" | "training" | "measuring" | "judging" | "resampling" | "auditing" | "explaining" | "picturing" | "placing" | "drawing";
  readonly begun: number;
  readonly past: readonly (readonly ["reading" | "loading" | "choosing" | "fitting" | "training" | "measuring" | "judging" | "resampling" | "auditing" | "explaining" | "picturing" | "placing" | "drawing", number])[];
  readonly done: number | null;
  readonly total: number | null;
  readonly iteration: number;
  readonly loss: readonly number[];
  readonly version: number;
  readonly has_positions: boolean;
}

/** How to read a table: the roles of its columns, and the format of its file. */
export interface Reading {
  readonly label: string | number | null;
  readonly id: string | number | null;
  readonly group: string | number | false | null;
  readonly keep: readonly (string | number)[];
  readonly drop: readonly (string | number)[];
  readonly nominal: readonly (string | number)[];
  readonly show: readonly (string | number)[];
  readonly image: string | number | null;
  readonly text: string | number | null;
  readonly embed: string | null;
  readonly rep: string | null;
  readonly row_numbers: "keep" | "drop";
  readonly unlabelled: "error" | "drop";
  readonly merge_classes: "case" | null;
  readonly copies: "keep" | "drop";
  readonly missing: "error" | "impute";
  readonly missing_values: readonly string[];
  readonly delimiter: string | null;
  readonly decimal: "." | "," | null;
  readonly encoding: string | null;
  readonly header: boolean | null;
  readonly transpose: boolean | null;
  readonly skip: number | null;
  readonly skip_footer: number | null;
  readonly sheet: string | number | null;
}

/** A parameter in a form: `kind` is the kind of field, `type` the value type. */
export interface Parameter {
  readonly name: string;
  readonly kind: "number" | "whole" | "flag" | "choice" | "text";
  readonly choices: readonly string[];
  readonly default: number | string | boolean | null;
  readonly type: string;
  readonly words: string;
}

/** The settings of a run. Names of models and runs are those at its start. */
export interface Settings extends Order {
  readonly model_name: string | null;
  readonly positions_in: string | null;
  readonly refit_of: string | null;
  readonly decisions: { readonly [key: string]: string };
  readonly placed_on: string | null;
  readonly placed_on_name: string | null;
}

/** The result of a run; empty until it has finished. */
export interface RunResult {
  readonly summary: string;
  readonly verdict: string | null;
  readonly lights: readonly Light[];
  readonly method: string;
  readonly has_model: boolean;
  readonly seconds: number;
  readonly accuracy: number | null;
}

/** The tests of a run, by the field of an order. */
export const TESTS = {
  honesty: {
    label: "Test whether the separation is real (8 extra fits)",
    usual: true,
  },
  islands: {
    label: "Find stable clusters (10 extra fits)",
    usual: false,
  },
  audit: {
    label: "Check labels and look for data problems (takes minutes for large tables)",
    usual: true,
  },
} as const;
