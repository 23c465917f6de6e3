/** All sentences of the view, by the part of the page that shows them. */

import { count, counted, number, percent } from "./format";

/** The link that opens a paragraph below a line of the Summary. */
export const HOW_MEASURED = "How is this measured?";

export const LIGHTS = {
  label: "Test results of the map",
  real: "Are the classes really separated?",
  kept: "Does the map show all of the separation?",
  untested: "Not tested",
  notMeasured: "The map was not tested on held-out rows.",
  measure: "Fit the map to some of the rows, and test it on the other rows",
};

export const STRIP = {
  contradictions: (n: number) =>
    n === 1
      ? "1 point lies outside the region of its predicted class. Click to select it."
      : `${count(n)} points lie outside the regions of their predicted classes. Click to select them.`,
  /** Accuracy of a classifier that is hardly better than chance. */
  poor: (share: string, isByClass: boolean, chance: number | null) =>
    `The classifier is right for ${share}${isByClass ? " (all classes weighted equally)" : ""}` +
    (chance === null
      ? ". This is no better than a classifier that always predicts the same class."
      : `. A classifier that always predicts the same class is right for ${percent(chance)} of them.`),
  trained: "the points, some of which may be its training data",
  heldOut: (n: number) => counted(n, "held-out point"),
};

export const SUMMARY = {
  labels: "Labels",
  confused: "Most confused",
  compare: "Compare two classes",
  table: "Table",
  openFigures: "Open the Quality page, which shows all numbers",
  misplaced: (n: number) =>
    `${counted(n, "row lies", "rows lie")} among rows of another class on the map when held out`,
  unreliable: (n: number) =>
    `${counted(n, "unreliable position")}: far from ` +
    `the ${n === 1 ? "position" : "positions"} predicted from the data`,
  noClasses: "The points have no classes, so there are no labels to check.",
  notChecked: (why: string) => `The labels were not checked${why ? ` (${why})` : ""}.`,
  howToCheck:
    "Run “labelscape audit DATA” (or tick “Check labels” in the app). In Python, pass " +
    "audit=labelscape.audit(X, y) to explore.",
  check: "Check labels",
  newRun: "Start another run with this table",
  share: (share: number) => `(${percent(share)} of their rows)`,
  accuracy: (names: string, share: number) =>
    `${names} (${percent(share)} accuracy on held-out rows)`,
  noFeature: "No single feature.",
  allClasses: "All classes",
  predicted: "Predictions for held-out rows",
  predictedCell: (n: number, own: string, other: string, share: number) =>
    `${count(n)} of ${own}, predicted as ${other} (${percent(share)})`,
  firstClass: "First class",
  secondClass: "Second class",
  aClass: "a class",
  inClass: (name: string) => `in ${name}`,
  nothingOdd: "No problems detected.",
  colorBy: (code: string, column: string) => `${code}: color the points by ${column}`,
  newRows: (name: string) => `New rows: ${name}`,
  decided: (n: number) => `${counted(n, "label")} reviewed`,
  /** Labels of the options that correct a table. */
  fixes: {
    drop: "Leave out",
    missing_values: "Treat as missing",
    copies: "Keep one copy of each row",
    merge_classes: "Merge the classes",
    group: "Keep equal rows together",
  } as Readonly<Record<string, string>>,
};

/** "How is this measured?", for lines that are not from the audit. */
export const MEASURED = {
  confusedOnMap:
    "For two classes: share of held-out rows that lie among rows of the other class on the map.",
  table:
    "The table is searched for copies of rows, columns that reveal the class, row " +
    "numbers, codes for missing values, batch effects and hidden subgroups. Click " +
    "a line to select its rows, or to color the map by its column.",
};

export const SUSPECTS = {
  lookAt: (isNext: boolean) =>
    (isNext
      ? "Check these rows next. The percentage is the chance that the label is wrong."
      : "Check these rows first, in this order.") +
    " This list may contain many false alarms.",
  decided: (done: number, all: number) => `${count(done)} of ${count(all)} reviewed`,
  previous: "Previous suspect (P)",
  next: "Next suspect (N)",
  undo: "Undo the last decision (U)",
  likely: "likely",
  kept: "kept",
  relabeled: "relabeled",
  title: (id: string, given: string, likely: string, chance: number | null) =>
    `${id}: ${given}, likely ${likely}` +
    (chance === null
      ? ""
      : `; chance that the label is wrong: ${SUSPECTS.chance(chance)}`),
  /** An estimate is not shown as 100%. */
  chance: (share: number) => (share > 0.99 ? "over 99%" : percent(share)),
  /** The position in the ranking, where no chance can be estimated. */
  rank: (rank: number) => `no. ${count(rank)}`,
  predicted: (p_likely: number, likely: string, p_given: number, given: string) =>
    `Probability when held out: ${percent(p_likely)} ${likely}, ${percent(p_given)} ${given}.`,
  usual: (likely: string, inLikely: string, given: string, inGiven: string) =>
    `typically ${likely} in ${inLikely}, ${given} in ${inGiven}`,
  similar: (name: string) => `Most similar, ${name}:`,
  keep: (name: string) => `Keep ${name}`,
  keepTitle: "The label is right (K)",
  relabel: (name: string) => `Relabel ${name}`,
  relabelTitle: "Change the label to the likely class (R)",
  otherClass: "Another class",
  fewer: "Show fewer",
  more: (n: number, most: number) =>
    n > most ? `Show ${count(most)} of ${count(n)}` : `Show all ${count(n)}`,
  keys: [
    ["N", " next, "],
    ["P", " previous, "],
    ["K", " keep, "],
    ["R", " relabel, "],
    ["U", " undo."],
  ],
};

export const RELABEL = {
  choose: (n: number) => (n === 1 ? "Relabel …" : `Relabel ${counted(n, "point")} …`),
  label: "Assign another class",
  undo: "Undo the last decision",
  open: "Open the Summary to save the decisions, or to fit the map again",
  saveCsv: "Save all suspects and decisions as a CSV file",
  savePython: "Save a Python function that applies the decisions to y",
  refit: "Fit the map to these labels, starting from the current map",
};

export const QUALITY = {
  notMeasured: "How well this map preserves neighbors and distances was not measured.",
  allMaps: "All maps side by side",
  heldOut: "Held-out rows, by class and prediction",
  matrix: (isTrained: boolean) =>
    "Each line of the table is a class, and each column is a predicted class." +
    (isTrained ? " The model may have been trained on these rows." : ""),
  methods: "Text for a paper",
  preserves: "What the map preserves",
  measures: "Measures of quality",
  neighborhoods: "Neighborhoods of all sizes",
  curve: (best: string) =>
    "For each number of neighbors, the curve shows the share of neighbors in the data " +
    `that are also neighbors on the map (1 = all, 0 = as expected by chance). ${best}`,
  trust:
    "Trustworthiness (solid line) is high if neighbors on the map are also neighbors in " +
    "the data. Continuity (dashed line) is high if neighbors in the data are also " +
    "neighbors on the map.",
  pairs: "Pairwise distances",
  onLine:
    "All pairs are on the line if distances on the map are proportional to those in the data.",
  regions: "Regions",
  right: (share: number) =>
    `Predictions are right for ${percent(share)} of held-out rows.`,
  agree: (share: number) =>
    `${percent(share)} of the points lie in the region of their predicted class.`,
  far: (share: number, isHatched: boolean) =>
    `${percent(share)} of the map is extrapolation (no data nearby). It is drawn ` +
    `${isHatched ? "pale and hatched" : "pale"}.`,
  tests: "Test on held-out rows",
  accuracy: (k: number | null) =>
    k === null ? "Accuracy" : `Accuracy of ${k} nearest neighbors`,
  interval: (low: number, high: number) =>
    `${(100 * low).toFixed().replace("-0", "0")} to ${(100 * high).toFixed()}%`,
  byClass: "Class by class",
  byClassChart: "Held-out points classified correctly, by class",
  byClassNote: (shown: number, all: number) =>
    "How well neighbors classify the held-out points of each class: 0% is the accuracy " +
    "expected by chance, and 100% means that all points are right." +
    (shown < all ? ` Only the ${shown} worst of ${all} classes are shown.` : ""),
  confused: "Classes most often confused on this map",
  islands: "Islands",
  /** Texts that are too long for a table in a terminal. */
  meanings: {
    auc_log_rnx:
      "share of neighbors that the map preserves, averaged over all numbers of neighbors; 1 = all, 0 = chance",
  } as Readonly<Record<string, string>>,
};

export const CHARTS = {
  preserved: "neighbors preserved (R_NX; 0 = chance)",
  rankCurve: (best: string) => `Neighborhoods preserved, R_NX. ${best}`,
  noCurve: "No curve",
  trustAxis: "T (solid) and C (dashed)",
  trust: (ends: string) => `Trustworthiness and continuity (for one neighbor: ${ends})`,
  best: {
    close: "Close neighbors are preserved best.",
    middle: "Neighborhoods of medium size are preserved best.",
    large:
      "Large neighborhoods are preserved best: the overall layout is more reliable than " +
      "the nearest neighbors.",
  },
  size: "number of neighbors",
  inData: "distance in the data",
  onMap: "distance on the map",
  shepard: (n: number) => `Shepard diagram of ${counted(n, "pair")}`,
  categories: (name: string) => `${name}: click to show its categories`,
  share: (name: string, n: number, share: number) =>
    `${name}: ${counted(n, "point")}, ${percent(share)}`,
  histogram: (name: string) => `Histogram of ${name}`,
  bin: (name: string, n: number, selected: number | null) =>
    `${name}: ${counted(n, "point")}${selected === null ? "" : `, ${selected} selected`}`,
};

export const KEY = {
  label: "Marks",
  prototypeSized: "Prototype, sized by its number of points",
  point: "Point",
  nearestPrototype: "Nearest prototype of a class",
  centerSized: "Class center, sized by its number of points",
  prototype: "Prototype",
  region: (by: string, accuracy: number | null) =>
    (by ? `Class predicted by ${by}` : "Predicted class") +
    (by && accuracy !== null
      ? `, right for ${percent(accuracy)} of held-out rows`
      : ""),
  certainty: (levels: readonly number[]) => `Certainty ${inPercent(levels)}`,
  density: (shares: readonly number[]) => `Densest ${inPercent(shares)} of the points`,
  far: "No data nearby",
  newRows: "New row, placed on the map",
  heldOut: "Held-out row, not used for the fit",
  contradiction: "Outside the region of its predicted class",
  suspect: "Label looks wrong",
  arrow: "Toward larger feature values",
  neighbor: "Neighbor in the data",
  border: "Line to the nearest class border",
};

function inPercent(shares: readonly number[]): string {
  return `${shares.map((share) => 100 * share).join(", ")}%`;
}

export const LEGEND = {
  find: "Find a class",
  showAll: "Show all",
  parts: "Fitted and other rows",
  partTitle: (name: string) => `${name}\nClick to hide or show.`,
  rowTitle: (name: string) =>
    `${name}\nClick to hide or show. Hold Shift or Alt to show only this entry.`,
  hidden: (column: string, n: number) =>
    `${column}: ${counted(n, "category", "categories")} hidden. `,
  noErrors: (n: number) => `No errors among ${counted(n, "point")}.`,
  more: (n: number) => `and ${count(n)} more`,
  scales: {
    certainty: "The color shows how certain the model is of its prediction.",
    false_neighbours:
      "A strong color means that neighbors on the map are not neighbors in the data.",
    judged_right:
      "The color shows how often neighbors on the map predicted the class of the point " +
      "correctly when the point was held out.",
    place_errors:
      "The color shows how far a point is from the position predicted from the data. " +
      "A distance of 1 is the median distance between points.",
    tears: "A strong color means that neighbors in the data are far apart on the map.",
  } as Readonly<Record<string, string>>,
};

export const COLORINGS = {
  judgedRight: "Correct when held out",
  placeErrors: "Distance from predicted position",
  notTested: "not tested",
  neverTried: "never held out",
  falseNeighbors: "False neighbors",
  errors: "Errors only",
  orMore: (value: string) => `${value} or more`,
};

export const TOOLBAR = {
  levels: {
    data: "All points on a map",
    classes: "The prototypes of the classes",
    object: "One point and the nearest prototype of each class",
  },
  weightings: {
    prototype: "prototypes",
    same_class: "also within classes",
    object: "points",
    uniform: "none (all equal)",
  },
  centers: {
    "1": "all",
    "0.5": "half",
    "0.25": "a quarter",
    "0.1": "a tenth",
    "0": "one per class",
  },
  switches: {
    regions: "Show the predicted regions",
    density: "Show lines of equal density",
    marks: "Show the prototypes",
    arrows: "Show arrows toward larger feature values",
    compressed: "Show a few class centers instead of all points",
  },
  disc: "Fisheye: enlarge one part and compress the rest (hyperbolic focus)",
  move: "Move the map",
  turn: "Rotate the map (the right mouse button moves it)",
  lasso: "Select with a lasso (or Shift and drag)",
  box: "Select with a box",
  allMaps: "All maps",
  home: "Show the whole map (0)",
  theme: (shade: string) => `Switch to ${shade} mode`,
  save: (kind: string) => `Save as ${kind}`,
  saveTitle: (kind: string) =>
    `Save the picture as ${kind}. Hold Shift to save it without title, test results and notes.`,
  selected: (n: number) => `${count(n)} selected`,
  search: "Search by id or value",
  searchExample: (example: string) => `id, or ${example}`,
  searchHint: "id or class = …",
  searchTitle:
    "Combine comparisons with “and”, “or”, “not” and parentheses: " +
    "prediction != class and not (a = 1 or b < 2)",
};

export const MENU = {
  search: (label: string) => `Search: ${label}`,
  more: (n: number) => `and ${count(n)} more: search for them.`,
  none: "No match.",
};

export const SELECTION = {
  title: (n: number, all: number) => `${count(n)} of ${counted(all, "point")} selected`,
  empty:
    "Select points with the lasso or the box, or search for them. This page then " +
    "shows their classes, what distinguishes them from the other points, and their rows.",
  all: "Select all",
  copy: "Copy CSV",
  save: "Save CSV",
  compare: "Compare the features of these points",
  amongPrototypes: "Show with prototypes",
  amongTitle: "Show these points on the map of classes, instead of its default points",
  predicted: "Predicted classes",
  columns: ["Class", "selected", "of the class"],
  rows: "Selected points",
  first: (shown: number, all: number) =>
    `Only the first ${shown} of ${count(all)} rows are shown. The CSV file has all rows.`,
};

export const DIFFERENCES = {
  title: (isOne: boolean) =>
    `What distinguishes ${isOne ? "this point" : "these points"}`,
  allSelected: "All points are selected, so there are no other points to compare with.",
  none: (least: number, isRest: boolean) =>
    `The difference ${isRest ? "from the other points " : ""}is below ${least} standard deviations for every feature.`,
  here: "here",
  others: "in the others",
  number: (own: string, here: string, mean: string, size: string, isHigher: boolean) =>
    `${own} ${here}, ${mean}: ${size} sd ${isHigher ? "higher" : "lower"}`,
  average: (means: string) => `on average ${means}`,
  same: (name: string, here: string, share: number, others: string) =>
    `${name} ${here}; ${percent(share)} ${others}`,
  note: (isOne: boolean, most: number, isSampled: boolean) =>
    `Bars show ${isOne ? "differences" : "differences of means"} in standard deviations ` +
    `(sd) of all points. A full bar is ${most} sd or more.` +
    (isSampled ? " The values are estimated from a sample of the points." : ""),
};

export const POINT = {
  none: "No point selected",
  howToSelect: "Click a point on a map, or an id in the table of selected points.",
  steps: "Selected points",
  step: (at: number, all: number) => `${count(at)} of ${count(all)} selected`,
  decided: "new label",
  compare: "Compare with other points and prototypes",
  predicted: (how: string) => `Predicted ${how}.`,
  differs: "The prediction differs from the label.",
  heldOut: "The map was not fitted to this point.",
  distances: "Distance to each class",
  squared: (square: number) =>
    `The model compares squared distances. A squared distance of ${number(square)} is ` +
    `a distance of ${number(Math.sqrt(square))}.`,
  change: "The smallest change",
  whyClass: "Why this class",
  arrow:
    "The arrow on the map leads to the changed point. The line across the arrow is the " +
    "class border.",
  notStored:
    "The change is not drawn, because its position is not stored in this page.",
  notPlaced: "The change is not drawn, because this map cannot place new points.",
  behindNearest: "Points that the nearest prototype represents",
  represents: (name: string, n: number) => `${name} represents ${counted(n, "point")}.`,
  values: "All values",
  open: (id: string) => `Open ${id}`,
  noMembers: "No point is nearest to this prototype.",
  showAll: (n: number, names: string) => `Show all ${count(n)} ${names}`,
};

export const WHY = {
  title: (model: string, name: string | null) =>
    name === null ? "Why this prediction" : `Why ${model} predicts ${name}`,
  accuracy: (model: string, share: number) =>
    `${model} is right for ${percent(share)} of held-out rows. `,
  differs: (own: string, given: string) =>
    `The model fitted to all rows predicts ${own}. The held-out prediction is ${given}.`,
  bars: "Bars to the right favor the prediction, and bars to the left oppose it.",
  barsOf: (own: string, foreign: string) =>
    `Bars to the right favor ${own}, and bars to the left favor ${foreign}.`,
  sum: (total: number, distance: string) =>
    `The bars add up to ${number(total)}, which is the margin in ${distance}.`,
  partSum: (n: number, all: number, total: number, margin: string) =>
    `The ${count(n)} contributions shown (of ${count(all)}) add up to ${number(total)}${margin}.`,
  margin: (distance: string, margin: number) =>
    `. The margin in ${distance} is ${number(margin)}`,
  chart: "Contributions of features",
  noChange: "No change that flips the prediction was found.",
  change: (length: number, unit: string, name: string) =>
    `A change of length ${number(length)}, ${unit}, changes the prediction to ${name}. ` +
    "No smaller change was found.",
  changeTable: "The smallest change that flips the prediction",
  moreChanges: (n: number, names: string) =>
    `and ${counted(n, "smaller change")} in other ${names}.`,
  between: "between categories",
  betweenTitle:
    "No change of a single category flips the prediction. The smallest change found mixes several categories.",
};

export const EXPLANATION = {
  asking: "Computing the explanation …",
  refused: (why: string) => `The model returned no explanation: ${why}`,
  none: "This page contains no explanations. In a notebook, the model computes them.",
  some: (n: number, all: number) =>
    `This page contains explanations of ${count(n)} of ${counted(all, "point")}, mainly ` +
    "misclassified and uncertain points. In a notebook, the model explains any point.",
};

export const CLASSIFIER = {
  title: "What would change the prediction",
  noReasons:
    "This classifier cannot explain its predictions. The command “labelscape classify” " +
    "searches for values that would change a prediction.",
  rest: (share: number, n: number) => `${percent(share)} for the other ${n} classes.`,
  notSearched:
    "Not computed for this point. In tables of more than 200,000 values, changes are computed only for some rows.",
  nearest: "The nearest point with another prediction: ",
  notShown: "not shown",
  change: (n: number, id: string, name: string) =>
    `If this point had ${n === 1 ? "this value" : "these values"} of ${id}, the ` +
    `classifier would predict ${name}. The change was found by trial and error, so there may be ` +
    "a smaller one.",
};

export const NEIGHBORS = {
  title: "Nearest neighbors",
  measures: { data: "In the data", model: "By the model" },
  notHeld:
    "Neighbors are not listed, because the table is too large to store all features in " +
    "this page.",
  missing: "Values of this point are missing, so its distances are unknown.",
  note: (how: string, same: string) => `These points are most similar, ${how}.${same}`,
  byModel: "by the distance that the model learned",
  byGiven: "by the given distances",
  byData: (isAll: boolean, unit: string) =>
    `by distance in the data${isAll ? ", computed from all features" : ""}, ${unit}`,
  same: (n: number, all: number, name: string) =>
    ` ${n} of ${all} have the same class, ${name}.`,
  show: "Show on the map",
  showTitle:
    "Draw lines from the point to its neighbors. Long lines show errors of the map.",
};

export const PROTOTYPES = {
  none: "No prototypes",
  noModel: "This map was drawn without a prototype model.",
  title: (n: number, model: string) => `${counted(n, "prototype")} of ${model}`,
  choose: "Select to compare",
  counts: "The number shows how many points the prototype represents.",
  chip: (name: string, n: number) => `${name}, ${counted(n, "point")}`,
  relevance: (names: string) => `Relevance of ${names}`,
  relevanceNote: (names: string, hasLines: boolean) =>
    `Relevances show how much the model uses each of the ${names}. Relevances add up to 1.${hasLines ? " Lines are 95% intervals, which show how much a relevance could differ for other rows." : ""}`,
  interval: (low: string, high: string) => `95% interval ${low} to ${high}`,
  behind: (name: string) => `Points that ${name} represents`,
};

export const COMPARED = {
  title: "Features side by side",
  label: "Compared points",
  remove: (id: string) => `Remove ${id} from the comparison`,
  add: (id: string) => `Add ${id} to the comparison`,
  second: "Select a second prototype, or a point, for the comparison.",
  scaled: "Values are scaled: the lowest in the training data is 0, the highest is 1.",
  raw: (isEach: boolean) =>
    "Values are in units of the data; " +
    `${isEach ? "each feature has its own axis, which starts at zero" : "all features share one axis"}.`,
  between: " ≈ marks the nearest category if a prototype lies between two categories.",
  contribution: (name: string) =>
    `Contribution of each feature to the squared distance from ${name}. ` +
    "Contributions can be negative if features interact.",
  asTable: "As table",
  nothing: "Nothing is compared yet.",
  prototypes: "Select a prototype here or on the map of classes.",
  points: "Add points with “Compare” on the pages Selection and Point.",
  shiftClick: "On the map of classes, hold Shift and click to add a point.",
  distances: "Distances between these points",
  byModel: (distance: string) => `Measured by the model: ${distance}.`,
  inData: (unit: string) => `Distance in the data, ${unit}.`,
  noMetric:
    "Distances between two points are not defined, because each prototype has its own " +
    "metric.",
  unknown:
    "“–” means unknown: this page does not contain all features that the distance uses.",
};

export const TABLE = {
  label: "All rows",
  keys: "Up and down arrow keys go from row to row. Enter opens a row, and Space selects it.",
  selected: "Selected rows",
  rows: (shown: number, all: number) =>
    shown < all ? `${count(shown)} of ${counted(all, "row")}` : counted(all, "row"),
  addColumn: "Add a column",
  noRow: "No row matches all selected bars.",
  remove: "Remove",
  removeOf: (name: string) => `Remove the histogram of ${name}`,
  missing: (n: number) => `${counted(n, "value")} missing`,
  noValues: "No values.",
  sort: (name: string) => `Sort by ${name}`,
};

export const COMPARISON = {
  first: "Look first at ",
  none: "No recommendation: none of these maps was tested on held-out rows.",
  title: "All maps",
  label: "All maps in numbers",
  show: (name: string) => `Show ${name}`,
  showAlone: (name: string) => `Show ${name} alone`,
  map: (name: string) => `Map: ${name}`,
  hint:
    "Hover over a point, or draw a line around several points, to mark them in all maps. " +
    "Click the name of a map to show it alone. All numbers are in the table below the maps.",
};

export const STAGE = {
  map: "Map of the points",
  keys:
    "Arrow keys move the map; the plus and minus keys zoom. With Shift, arrow keys go from " +
    "point to point. Enter selects a point, and Enter again opens it.",
  solidKeys: " Arrow keys rotate a three-dimensional map.",
  suspectKeys:
    " N and P go to the next and previous suspect, K keeps its label, R changes the label " +
    "to the likely class, and U undoes the last decision.",
  noWebGl:
    "This browser has no WebGL, so points are drawn in a simpler way. To enable WebGL, " +
    "turn on hardware acceleration in the browser settings.",
  outside: (n: number) => `${count(n)} farther out`,
  outsideTitle: "Points far from all others. Click to show the whole map.",
  toMiddle: "Back to the middle",
  toMiddleTitle: "Show the part of the map that contains most points",
  prototype: (name: string) => `Prototype ${name}`,
  border: (name: string) =>
    `Nearest point of the class border. The class on the other side is ${name}`,
  arrow: (feature: string, length: number) =>
    `Points with larger values of ${feature} lie in this direction. One standard deviation ` +
    `of ${feature} is ${number(length)} on the map. All arrows have the same scale.`,
  tooltipError: "The model predicts another class.",
  tooltipHeldOut: "The map was not fitted to this point.",
  tooltipJudged: "correct when held out",
  ofFits: (share: number) => `in ${percent(share)} of the tests`,
  picture: (id: string) => `Picture of ${id}`,
};

export const CLASSES = {
  label: "Prototypes of all classes, and points among them",
  prototype: (name: string, n: number) =>
    `Prototype ${name}, represents ${counted(n, "point")}`,
  point: (id: string) => `Point ${id}`,
  own: (name: string) => `, class ${name}`,
  predicted: (name: string) => `, predicted ${name}`,
  noPicture: "This page contains no map of the classes.",
  exact: "The distances on this map are exactly those that the model compares.",
  usual: "Show the default points",
  agreement: (share: number, n: number) =>
    `For ${percent(share)} of the ${counted(n, "point")} here, the nearest prototype on ` +
    "this map has the class that the model predicts.",
  centers: "Class centers instead of points",
  centersNote: (n: number, all: number) =>
    `${counted(n, "class center represents", "class centers represent")} ` +
    `${counted(all, "point")}. Larger centers represent more points.`,
  center: (n: number, name: string) => `Center of ${counted(n, "point")}, ${name}`,
};

export const ONE_POINT = {
  label: "One point and the nearest prototype of each class, at their true distances",
  howToSelect:
    "No point is selected. Click a point on a map, or an id in the table of selected " +
    "points, to see its distance from each class.",
  noDistances: "This page contains no distances between points and prototypes.",
  radii: "Distances from the center are exactly those that the model uses.",
  squares: "Distances from the center are the squared distances of the model.",
  bent: "In the fisheye view, distant parts are compressed, but the numbers are exact.",
  compromise: "Directions are approximate.",
  noDirections: "Directions have no meaning, because there are too many prototypes.",
  prototype: (name: string, distance: string, value: number) =>
    `Prototype ${name}, ${distance} ${number(value)}`,
  farther: (n: number) =>
    ` Zoom out to see ${counted(n, "class", "classes")} farther away.`,
};

export const SAVE = {
  failed: (why: string) => `The picture was not saved. ${why}`,
  tooLarge: "The browser could not create a PNG of this size.",
  sideBySide: "side by side",
};

export const SCENE = {
  notOne: "The data of this page are not a Labelscape map.",
  version: (given: number, known: number) =>
    `This map is stored in format ${given}, but this version of Labelscape reads format ` +
    `${known}. Write the map again with the version that you use now.`,
  type: (name: string) => `The map contains an array of an unknown type, '${name}'.`,
  cutOff: "The map is incomplete: the end of the file is missing.",
  tooOld: "This browser cannot unpack the page. Use a browser from 2023 or later.",
  damaged: "The data in this page are damaged. Copy or download the file again.",
  none: "This page contains no map.",
  failed: (why: string) => `The map cannot be shown. ${why}`,
};

/** Names for objects that have no name in the data. */
export const NAMES = {
  noClass: "no class",
  empty: "(empty)",
  missing: "missing",
  row: (point: number) => `row ${point}`,
  prototype: "prototype",
  numbered: (name: string, n: number) => `${name}, no. ${n}`,
  distance: "distance",
  squared: "squared distance",
  units: {
    data: "in units of the data",
    standard_deviation: "in standard deviations",
    model: "in the units of the model",
  },
  imputed: (value: string) => `imputed as ${value}`,
  others: (n: number) => `${n} others`,
  range: (low: string, high: string) => `${low} to ${high}`,
};

export const SEARCH = {
  noPoint: (text: string) => `No point has ${text}.`,
  nothing: "Nothing found.",
  notOpened: "“)” closes a parenthesis that was not opened: add “(”, or remove “)”.",
  notClosed: (inside: string) =>
    `The parenthesis of “${inside}” is not closed: add “)”.`,
  inParentheses: "In parentheses, write a comparison such as class = … .",
  after: (before: string) =>
    `After “${before}”, write another comparison such as class = … .`,
  joint: (before: string) => `After “${before}”, write “and” or “or”, or nothing.`,
  noName: (text: string) =>
    `Nothing is called “${text}”. Write a comparison, such as class = … .`,
  noFeature: (name: string) => `No feature is called “${name}”.`,
  noClass: (name: string) => `No class is called “${name}”.`,
  noCodes: (key: string) => `The points have no ${key}.`,
  which: (key: string, example: string) =>
    `Write which ${key} you mean, as in ${key} = ${example}.`,
  value: (name: string, sign: string, example: string) =>
    `Write a value to compare with, as in ${name} ${sign} ${example}.`,
  wrongKind: (value: string, kind: "number" | "date" | "truth") =>
    `“${value}” is not ${KINDS[kind]}.`,
  equalOnly: (names: string) => `${names} can only be compared with = and !=.`,
  never: (name: string, value: string, values: string) =>
    `“${name}” is never “${value}”. Its values are ${values}.`,
};

const KINDS = {
  number: "a number",
  date: "a date such as 2021-03-04",
  truth: "“yes” or “no”",
};
