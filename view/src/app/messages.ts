/** All sentences of the app, by the page that shows them. */

import { count, counted, number } from "../format";
import type { LightState } from "../ui/lights";

export const APP = {
  title: (page: string) => `${page} – Labelscape`,
  motto: "maps of labeled data, tested on held-out rows",
  api: "REST API for scripts",
  silent: "The app does not answer. Is 'labelscape serve' still running?",
  answered: (status: number) => `The app answered with status ${status}.`,
  failed: "The page stopped because of an error. Load it again.",
  noRun: "There is no run to show.",
  noMethod: "The app did not list any method.",
  sideBySide: "Side by side",
};

export const HELP = {
  open: "Help: first steps, test results, keys",
  first: "First steps",
  steps: [
    "Drag a table file onto the start page, or use one of the examples.",
    "Choose the column that contains the classes.",
    "Press Start. If you have no preference, keep “The best for these data”.",
    "Read the test results in the Summary first, then look at the map.",
    "Fit another map, and tick both maps in the list to compare them side by side.",
  ],
  results: "What the test results mean",
  lights: [
    ["good", "Good: you can trust the map."],
    ["fair", "Fair: trust the map only in part, and check the numbers."],
    ["bad", "Bad: do not trust the map."],
    ["none", "Not tested."],
  ] as readonly [LightState, string][],
  questions: [
    [
      "Are the classes really separated?",
      "Held-out rows (not used to fit the map) lie among rows of their own class more often than expected by chance.",
    ],
    [
      "Does the map show all of the separation?",
      "The classes are separated on the map as well as in the data.",
    ],
  ],
  keyboard: "Keyboard and mouse",
  keys: [
    ["Tab", "moves through the page; arrow keys move through cards and tabs"],
    ["Arrow keys, + and −, 0", "move the map, zoom, and show the whole map"],
    [
      "In three dimensions",
      "drag or arrow keys rotate the map; the right button or two fingers move it",
    ],
    [
      "Shift + arrow keys",
      "go from point to point; Enter selects a point, and Enter again opens it",
    ],
    ["Shift + drag", "draws a line around points to select them"],
    ["Escape", "clears the selection"],
    ["N, P, K, R, U", "next suspect, previous suspect, keep its label, relabel, undo"],
  ],
  words: "Terms",
  terms: [
    ["Row", "One line of your table, such as a patient, a picture or a spectrum."],
    ["Map", "All rows as points in a plane; similar rows are close together."],
    ["Prototype", "A typical point of a class, or of a part of a class."],
    ["Suspect", "A row whose label looks wrong."],
    ["Island", "A group of points with empty space around it."],
    [
      "Seed",
      "A number that fixes all random choices: the same seed gives the same map.",
    ],
  ],
};

export const HOME = {
  title: "A map of your data",
  examples: "Or choose an example",
  size: (rows: number, features: number, classes: number) =>
    [
      counted(rows, "row"),
      counted(features, "feature"),
      counted(classes, "class", "classes"),
    ].join(", "),
  accuracy: "Held-out accuracy",
  accuracyTitle:
    "Share of held-out rows classified correctly, with the same weight for each class",
  noRuns: "No runs yet. The app keeps your runs when you close it.",
  tick: "Tick two finished runs to see them side by side.",
  ticked: (n: number) => `${counted(n, "run")} ticked.`,
  compare: (name: string) => `Compare ${name}`,
  runs: "Runs in this workspace, newest first",
  tables: "Tables in this workspace, newest first",
  deleteRun: (name: string) => `Delete the run "${name}"?`,
  deleteTable: (name: string) => `Delete the table "${name}"?`,
  deleteModel: (name: string) => `Delete the model "${name}"?`,
  took: (isFinished: boolean, time: string) =>
    ` ${isFinished ? "in" : "after"} ${time}`,
};

export const COMPARING = {
  none: "No recommendation: none of these runs was tested on held-out rows.",
  best: (name: string, share: string, others: string) =>
    `${name}: ${share} of held-out rows get the right class${others ? ` (${others})` : ""}.`,
};

export const RUN = {
  files: {
    page: "One HTML file with this map, to share",
    positions: "The positions of all rows, as CSV",
    placed: "Positions and predicted classes of the new rows, as CSV",
    model:
      "The fitted model, for labelscape.load. It may contain rows of the table: share it only if you would share the table.",
    code: "A script that repeats this run",
  },
  another: "Use the same table with another method or other settings",
  anotherRun: "Another run",
  theMap: "The map",
  placeNew: "Place new rows",
  notKept: (why: string) => `Not saved: ${why}`,
  after: (time: string) => ` after ${time}`,
  finished: (time: string, summary: string, settings: string) =>
    `Finished in ${time}. ${summary} ${settings}`,
  placedOn: (table: string, map: string) => `Rows of table ${table}, placed on ${map}.`,
  table: (name: string) => `Table ${name}`,
  classesIn: (column: string | number) => `classes in ${column}`,
  decided: (n: number) => `${counted(n, "label")} changed or kept`,
  method: (title: string) => `method ${title}`,
  seed: (seed: number) => `seed ${seed}`,
  name: "Name of this run",
  saveName: "Save name",
  back: "Cancel",
  placing: "Place new rows on this map",
  placingNote:
    "New rows get positions and predicted classes. The app reports rows that look unlike " +
    "the training data, and whether the new rows differ overall (drift). Columns are " +
    "matched by name.",
  earlier: "or an earlier table ",
  placeThese: "Place these rows",
  tableSize: (name: string, rows: number) => `${name} (${counted(rows, "row")})`,
  waiting: "Waiting for other runs",
  starting: "Starting",
  lossTitle: "Loss: the curve falls while the map improves",
  lossNow: (loss: number) => `Loss at each iteration, now ${loss.toPrecision(4)}`,
  of: (step: string, done: number, total: number) => `${step}: ${done} of ${total}`,
  iteration: (step: string, iteration: number, loss: number | undefined) =>
    `${step}: iteration ${iteration}${loss === undefined ? "" : `, loss ${number(loss)}`}`,
  steps: {
    reading: "Read the table",
    loading: "Load the model",
    choosing: "Choose a method (cross-validation)",
    fitting: "Fit the map",
    training: "Train the classifier",
    measuring: "Measure what the map preserves",
    judging: "Test the map on held-out rows",
    resampling: "Test which clusters are stable",
    auditing: "Check labels",
    explaining: "Choose a model that explains the classes",
    picturing: "Draw the decision map",
    placing: "Place the new rows",
    drawing: "Write the files",
  },
};

export const COLUMNS = {
  roles: {
    feature: "feature",
    label: "classes",
    id: "names of rows",
    group: "group",
    show: "shown only",
    text: "text of the row",
    image: "picture file",
    drop: "left out",
  },
  find: "Find a column",
  caption: "Content and use of each column",
  heads: ["Column", "Kind", "Missing", "Distinct", "Examples", "Used for"],
  use: (name: string) => `What ${name} is used for`,
  noName: "No column has that name.",
  more: (n: number, isSearch: boolean) =>
    `${counted(n, "more column", "more columns")} ` +
    (isSearch
      ? "with this text in the name."
      : "with the detected use. Search for a column to change its use."),
  missing: (name: string) => `There is no column “${name}”.`,
  choose: "choose a column …",
  numbers: "row number",
  independent: "none: all rows are independent",
  classesIn: "Classes are in ",
  namedBy: "Rows are named by ",
  groups: "Rows of one group (patient, plate) have the same ",
  needed: "Every method needs the column that contains the classes.",
  nClasses: (n: number) => counted(n, "class", "classes"),
  moreClasses: (n: number) => `and ${count(n)} more`,
  areThese: (rows: number) =>
    ` in ${counted(rows, "row")}. Does this column really contain classes?`,
  unlabeled: (n: number) =>
    ` ${counted(n, "row without a class is", "rows without a class are")} left out.`,
};

export const METHODS = {
  groups: {
    map: "Which map should I look at first?",
    prototypes: "What explains the classes?",
    classifier: "What does my classifier do?",
  },
  seed: "A number that fixes all random choices: the same seed gives the same map",
  dimensions: "3-D maps can be rotated",
  recommended: "Recommended",
  uses: "uses the labels",
  ignores: "does not use the labels",
  more: (n: number) => `More methods (${n})`,
  parameters: (n: number) => `Parameters (${n})`,
  moreParameters: (n: number) => `More (${n})`,
  automatic: "automatic",
  modelFile: "Model file ",
  earlierModel: "or an earlier model ",
  positionsFile: "File of positions ",
  choose: "choose …",
  none: "no model file yet",
  chooseFirst: "Choose the model file first.",
  model: (kind: string, features: number, classes: string) =>
    `${kind} with ${counted(features, "feature")}. Classes: ${classes}.`,
  modelNote:
    "A file written by labelscape.save. The table must contain all features of the model.",
};

export const READING = {
  detected: "detected",
  delimiters: {
    ",": "a comma",
    ";": "a semicolon",
    "\t": "a tab",
    "|": "a vertical bar",
    " ": "spaces",
  } as Readonly<Record<string, string>>,
  quoted: (sign: string) => `“${sign}”`,
  leftOut: "The column is left out.",
  notFeature: "The column cannot be used as a feature.",
  moreColumns: (n: number) => `The same applies to ${counted(n, "more column")}.`,
  asMissing: (value: string) => `Treat “${value}” as missing`,
  decimals: { ".": "a point: 1.5", ",": "a comma: 1,5" },
  missingExample: "-, unknown",
  names: "names of columns",
  row: "a row",
  firstSheet: "the first sheet with a table",
  auto: "auto",
  summary: "Format of the file",
  delimiter: "Separator between cells",
  decimal: "Decimal sign",
  firstLine: "First line",
  samples: "Samples are in",
  rows: "rows",
  columns: "columns",
  above: "Lines above the table",
  below: "Lines below the table",
  missing: "More missing-value codes (NA and “?” are known)",
  drop: "Drop a table here, or choose a file",
  formats:
    "CSV, TSV, Excel, Parquet, Arrow, npy or npz. Your data stay on this computer.",
  reading: (name: string) => `Reading ${name} …`,
};

export const TABLE = {
  size: (rows: number, columns: number) =>
    `${counted(rows, "row")}, ${counted(columns, "column")}.`,
  gaps: (values: number, columns: number) =>
    `${counted(values, "value is", "values are")} missing in ` +
    `${counted(columns, "column")}. Missing values are replaced by the mean of their column.`,
  plan: (method: string, features: number) =>
    `${method}, ${counted(features, "column as feature", "columns as features")}.`,
  noFeature: "No column is used as a feature.",
  columns: (n: number) => `Columns (${count(n)})`,
  whichColumn: "1. Which column contains the classes?",
  embedded: "The classes come with this data set.",
  whichMethod: "2. What do you want to see?",
  chooseFirst: "First choose the column that contains the classes.",
  equalRows: "Identical rows: ",
  copies: [
    ["keep", "keep all"],
    ["drop", "keep only the first"],
  ] as const,
  caseOnly: "Classes that differ only in upper and lower case ",
  merge: [
    ["", "stay separate"],
    ["case", "are merged"],
  ] as const,
};
