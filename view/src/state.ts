/** The state of the view, in one store. */

import { FIRST_TURN, type Turn } from "./geometry/space";
import type { Decision } from "./scene/decisions";
import type { Measure } from "./scene/neighbors";
import type { ClassLevel, Scene } from "./scene/scene";

export type Level = "data" | "classes" | "object";
export type Tool = "pan" | "lasso" | "box";
export type Theme = "auto" | "light" | "dark";
/** Rows to which the map or classifier was fitted, and all other rows. */
export type Part = "fitted" | "held_out";
export type Tab =
  | "summary"
  | "selection"
  | "object"
  | "table"
  | "prototypes"
  | "quality";

/** The unit disc of the hyperbolic view: its focus, and the strength of its bending. */
export interface Disc {
  readonly focus: readonly [number, number];
  readonly strength: number;
}

export interface State {
  readonly level: Level;
  /** Index of the shown map. */
  readonly map: number;
  /** "class", "prediction", "certainty", "errors", "false_neighbours", "tears", "held_out", "judged_right", "place_errors", "feature:NAME", "column:NAME". */
  readonly colorBy: string;
  /** Selected points, ascending. */
  readonly selection: Uint32Array;
  /** Point under the pointer. */
  readonly hover: number | null;
  /** The point of the object level. */
  readonly object: number | null;
  /** Prototypes whose features are compared, in the order of selection. */
  readonly prototypes: readonly number[];
  /** Points that are compared with them, in the order of selection. */
  readonly compared: readonly number[];
  readonly hiddenClasses: ReadonlySet<number>;
  readonly hiddenParts: ReadonlySet<Part>;
  /** Categories whose points are hidden, by column; -1 means a missing value. */
  readonly hiddenCategories: ReadonlyMap<string, ReadonlySet<number>>;
  /** Whether all maps of a comparison are shown side by side. */
  readonly together: boolean;
  readonly regions: boolean;
  /** Whether lines of equal density are drawn, if there are many points. */
  readonly density: boolean;
  /** Whether prototypes are marked on the map. */
  readonly marks: boolean;
  /** Whether class centers are shown instead of the points. */
  readonly compressed: boolean;
  /** The share of these centers that is shown; the others are merged with them. */
  readonly centers: number;
  /** Whether arrows of features are drawn on linear maps. */
  readonly arrows: boolean;
  /** Whether the open point is linked to its nearest neighbors on the map. */
  readonly links: boolean;
  /** The distance that defines neighbors, if there is a choice. */
  readonly neighborsBy: Measure;
  readonly disc: Disc | null;
  /** The rotation of 3-D maps. */
  readonly turn: Turn;
  /** The distances that the map of classes preserves best. */
  readonly weighting: ClassLevel["weighting"];
  /** Points chosen for the map of classes, ascending; null means the default points. */
  readonly classPoints: Uint32Array | null;
  /** Decisions about labels, oldest first; the last decision about a point is used. */
  readonly decisions: readonly Decision[];
  readonly tool: Tool;
  readonly tab: Tab;
  readonly theme: Theme;
}

export const START: State = {
  level: "data",
  map: 0,
  colorBy: "class",
  selection: new Uint32Array(),
  hover: null,
  object: null,
  prototypes: [],
  compared: [],
  hiddenClasses: new Set(),
  hiddenParts: new Set(),
  hiddenCategories: new Map(),
  together: false,
  regions: true,
  density: false,
  marks: true,
  compressed: false,
  centers: 1,
  arrows: false,
  links: false,
  neighborsBy: "data",
  disc: null,
  turn: FIRST_TURN,
  weighting: "prototype",
  classPoints: null,
  decisions: [],
  tool: "pan",
  tab: "summary",
  theme: "auto",
};

/** The parts of the state that control how the points of a map are drawn. */
export const LOOKS: readonly (keyof State)[] = [
  "colorBy",
  "theme",
  "hiddenClasses",
  "hiddenParts",
  "hiddenCategories",
  "selection",
];

type Listener = (state: State, before: State) => void;

/** Contains the state; listeners get each change, with the state before. */
export class Store {
  #state: State;
  readonly #listeners = new Set<Listener>();

  constructor(start: Partial<State> = {}) {
    const state = { ...START, ...start };
    this.#state = { ...state, object: objectOf(state) };
  }

  get state(): State {
    return this.#state;
  }

  /** Change some of the state. Listeners are called only if something changed. */
  set(change: Partial<State>): void {
    const before = this.#state;
    const names = Object.keys(change) as (keyof State)[];
    if (names.some((name) => !Object.is(before[name], change[name]))) {
      this.#state = { ...before, ...change };
      this.tell(before);
    }
  }

  /** Call the listeners as if some of the state had been `before`. */
  tell(before: Partial<State>): void {
    for (const listener of this.#listeners) {
      listener(this.#state, { ...this.#state, ...before });
    }
  }

  /** Listen to changes; call the returned function to stop. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Draw now, and again whenever one of these values has changed. */
  watch(names: readonly (keyof State)[], draw: (state: State) => void): void {
    this.on((state, before) => {
      if (areOther(names, state, before)) {
        draw(state);
      }
    });
    draw(this.#state);
  }
}

/** Whether one of some values has changed. */
export function areOther(
  names: readonly (keyof State)[],
  state: State,
  before: State,
): boolean {
  return names.some((name) => state[name] !== before[name]);
}

/** Show one of several maps alone. */
export function showMap(store: Store, map: number): void {
  store.set({ map, together: false, hover: null });
}

/** Select points, and update the rest of the state. */
export function choose(
  store: Store,
  selection: Uint32Array,
  change: Partial<State> = {},
): void {
  store.set(chosen(store.state, selection, change));
}

/** The changes of a selection, which include the open point unless it is given. */
export function chosen(
  state: State,
  selection: Uint32Array,
  change: Partial<State> = {},
): Partial<State> {
  const isNew = selection !== state.selection;
  const object = isNew ? objectOf({ ...state, ...change, selection }) : state.object;
  return { object, ...change, selection };
}

/** Show one point with the nearest prototype of each class. */
export function openObject(store: Store, object: number): void {
  store.set({ object, level: "object", tab: "object" });
}

/** Add a prototype to the comparison, or remove it. */
export function togglePrototype(store: Store, prototype: number): void {
  const prototypes = toggled(store.state.prototypes, prototype);
  store.set({ prototypes, tab: "prototypes" });
}

/** Add a point to the comparison, or remove it. */
export function toggleCompared(store: Store, object: number): void {
  const compared = toggled(store.state.compared, object);
  store.set({ compared, tab: "prototypes" });
}

function toggled(list: readonly number[], item: number): number[] {
  const others = list.filter((other) => other !== item);
  return others.length < list.length ? others : [...list, item];
}

/** Keep or change the label of some points. */
export function decide(
  store: Store,
  points: number | Uint32Array,
  label: string,
): void {
  const rows = typeof points === "number" ? Uint32Array.of(points) : points.slice();
  store.set({ decisions: [...store.state.decisions, { rows, label }] });
}

/** Undo the last decision, and show its points. */
export function undoDecision(store: Store): void {
  const { decisions } = store.state;
  const last = decisions.at(-1);
  if (last) {
    choose(store, last.rows, { decisions: decisions.slice(0, -1) });
  }
}

/** Show a point on the object level if the scene has this level, otherwise beside the map. */
export function show(
  { scene, store }: { readonly scene: Scene; readonly store: Store },
  object: number,
): void {
  if (scene.model?.class_distances) {
    openObject(store, object);
  } else {
    store.set({ object, tab: "object" });
  }
}

/** The chosen measure of neighbors, or the measure that is available. */
export function measureOf(
  { neighborsBy }: State,
  measures: readonly Measure[],
): Measure {
  return measures.includes(neighborsBy) ? neighborsBy : measures[0];
}

/** Whether the open point is linked to its neighbors on the shown map. */
export function areLinked({ links, level, tab, object, compressed }: State): boolean {
  return (
    links && level === "data" && tab === "object" && !compressed && object !== null
  );
}

/** Select points on the map, or clear the selection if they are selected already. */
export function toggleSelection(store: Store, points: Uint32Array): void {
  const selection = isSelection(store.state, points) ? new Uint32Array() : points;
  choose(store, selection, { level: "data" });
}

/** Whether exactly these points are selected; both lists are ascending. */
export function isSelection({ selection }: State, points: Uint32Array): boolean {
  return (
    selection.length === points.length &&
    selection.every((point, i) => point === points[i])
  );
}

/** Hide the points of some categories of a column, and show those of its other categories. */
export function hideCategories(
  store: Store,
  column: string,
  hidden: ReadonlySet<number>,
): void {
  const hiddenCategories = new Map(store.state.hiddenCategories);
  hiddenCategories.delete(column);
  if (hidden.size > 0) {
    hiddenCategories.set(column, hidden);
  }
  store.set({ hiddenCategories });
}

/**
 * The open point for a new selection: one of the selected points, unless another point
 * is open on the object level.
 */
function objectOf({ selection, object, level }: State): number | null {
  if (selection.length === 0 || (object !== null && level === "object")) {
    return object;
  }
  return object !== null && selection.includes(object) ? object : selection[0];
}
