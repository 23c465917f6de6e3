/** What a person is doing in the view: one store, one owner of every state. */

import { FIRST_TURN, type Turn } from "./map/space";
import type { Measure } from "./scene/neighbors";
import type { ClassLevel } from "./scene/scene";

export type Level = "data" | "classes" | "object";
export type Tool = "pan" | "lasso" | "box";
export type Theme = "auto" | "light" | "dark";
/** Rows that the map or classifier was fitted to, and the others. */
export type Part = "fitted" | "held_out";
export type Tab =
  | "summary"
  | "selection"
  | "object"
  | "table"
  | "prototypes"
  | "quality";

/** The unit disc of the hyperbolic picture: what is at its center, how strongly it bends. */
export interface Disc {
  readonly focus: readonly [number, number];
  readonly strength: number;
}

/** The class that a person gave some points, all at once. */
export interface Decision {
  readonly rows: Uint32Array;
  readonly label: string;
}

/** Labels by rows, as they were decided on. */
export type Labels = ReadonlyMap<number, string>;

export interface State {
  readonly level: Level;
  /** Index of the shown map. */
  readonly map: number;
  /** "class", "prediction", "certainty", "errors", "false_neighbours", "tears", "held_out", "judged_right", "place_errors", "feature:NAME", "column:NAME". */
  readonly colorBy: string;
  /** Chosen points, ascending. */
  readonly selection: Uint32Array;
  /** Point under the pointer. */
  readonly hover: number | null;
  /** Object of the object level. */
  readonly object: number | null;
  /** Prototypes whose features are compared, in the order of choice. */
  readonly prototypes: readonly number[];
  /** Objects that are compared with them and each other, in the order of choice. */
  readonly compared: readonly number[];
  readonly hiddenClasses: ReadonlySet<number>;
  readonly hiddenParts: ReadonlySet<Part>;
  /** Categories whose points are hidden, by column; -1 is a missing one. */
  readonly hiddenCategories: ReadonlyMap<string, ReadonlySet<number>>;
  /** Whether all maps of a comparison are shown side by side. */
  readonly together: boolean;
  readonly regions: boolean;
  /** Whether lines of equal density are drawn, where there are many points. */
  readonly density: boolean;
  /** Whether prototypes are marked on the map. */
  readonly marks: boolean;
  /** Whether class centers are shown instead of the points. */
  readonly compressed: boolean;
  /** Which share of these centers is shown; the others are joined with them. */
  readonly centers: number;
  /** Whether arrows of features are drawn on linear maps. */
  readonly arrows: boolean;
  /** Whether the object is linked to its nearest neighbors on the map. */
  readonly links: boolean;
  /** What these are the nearest by, where there is a choice. */
  readonly neighborsBy: Measure;
  readonly disc: Disc | null;
  /** How maps of three dimensions are turned. */
  readonly turn: Turn;
  /** Which distances count on the map of classes. */
  readonly weighting: ClassLevel["weighting"];
  /** Points chosen to stand among the prototypes there, ascending; null: the usual ones. */
  readonly classPoints: Uint32Array | null;
  /** Decisions about labels, in their order; of a point, the last one counts. */
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

/** What says how the points of a map are drawn. */
export const LOOKS: readonly (keyof State)[] = [
  "colorBy",
  "theme",
  "hiddenClasses",
  "hiddenParts",
  "hiddenCategories",
  "selection",
];

type Listener = (state: State, before: State) => void;

/** Holds the state; listeners get each change, with the state before. */
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

  /** Call the listeners, as if some of the state had been as given before. */
  tell(before: Partial<State>): void {
    for (const listener of this.#listeners) {
      listener(this.#state, { ...this.#state, ...before });
    }
  }

  /** Listen to changes; call what is returned to stop. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Draw something now, and again whenever one of some values has changed. */
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

/** Show a map of several, alone. */
export function showMap(store: Store, map: number): void {
  store.set({ map, together: false, hover: null });
}

/** Choose points, and change what else goes with that. */
export function choose(
  store: Store,
  selection: Uint32Array,
  change: Partial<State> = {},
): void {
  store.set(chosen(store.state, selection, change));
}

/** What changes when points are chosen: unless it is given, the object, too. */
export function chosen(
  state: State,
  selection: Uint32Array,
  change: Partial<State> = {},
): Partial<State> {
  const isNew = selection !== state.selection;
  const object = isNew ? objectOf({ ...state, ...change, selection }) : state.object;
  return { object, ...change, selection };
}

/** Show one object with the nearest prototype of each class. */
export function openObject(store: Store, object: number): void {
  store.set({ object, level: "object", tab: "object" });
}

/** Add a prototype to the comparison, or remove it. */
export function togglePrototype(store: Store, prototype: number): void {
  const prototypes = toggled(store.state.prototypes, prototype);
  store.set({ prototypes, tab: "prototypes" });
}

/** Add an object to the comparison, or remove it. */
export function toggleCompared(store: Store, object: number): void {
  const compared = toggled(store.state.compared, object);
  store.set({ compared, tab: "prototypes" });
}

function toggled(list: readonly number[], item: number): number[] {
  const others = list.filter((other) => other !== item);
  return others.length < list.length ? others : [...list, item];
}

/** Keep the label of a point or of several, or give them another one. */
export function decide(
  store: Store,
  points: number | Uint32Array,
  label: string,
): void {
  const rows = typeof points === "number" ? Uint32Array.of(points) : points.slice();
  store.set({ decisions: [...store.state.decisions, { rows, label }] });
}

/** Take back the last decision, and show what it was about. */
export function undoDecision(store: Store): void {
  const { decisions } = store.state;
  const last = decisions.at(-1);
  if (last) {
    choose(store, last.rows, { decisions: decisions.slice(0, -1) });
  }
}

/** The label that each point was given last, in the order of time. */
export function decided({ decisions }: State): Labels {
  const labels = new Map<number, string>();
  for (const { rows, label } of decisions) {
    for (const row of rows) {
      labels.delete(row);
      labels.set(row, label);
    }
  }
  return labels;
}

/** The measure of neighbors that is wanted, or the one that there is. */
export function measureOf(
  { neighborsBy }: State,
  measures: readonly Measure[],
): Measure {
  return measures.includes(neighborsBy) ? neighborsBy : measures[0];
}

/** Whether the object is linked to its neighbors on the map that is shown. */
export function areLinked({ links, level, tab, object, compressed }: State): boolean {
  return (
    links && level === "data" && tab === "object" && !compressed && object !== null
  );
}

/** Choose points on the map, or none if they are chosen already. */
export function toggleSelection(store: Store, points: Uint32Array): void {
  const selection = isSelection(store.state, points) ? new Uint32Array() : points;
  choose(store, selection, { level: "data" });
}

/** Whether exactly these points are chosen; both are ascending. */
export function isSelection({ selection }: State, points: Uint32Array): boolean {
  return (
    selection.length === points.length &&
    selection.every((point, i) => point === points[i])
  );
}

/** Hide the points of some categories of a column, and show those of its others. */
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
 * The object that goes with a new selection: one of the chosen points, unless another
 * one is being looked at.
 */
function objectOf({ selection, object, level }: State): number | null {
  if (selection.length === 0 || (object !== null && level === "object")) {
    return object;
  }
  return object !== null && selection.includes(object) ? object : selection[0];
}
