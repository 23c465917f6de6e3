/** The controls above the stage: level, map, colors, tools, search, and saving. */

import { choices } from "../color/coloring";
import { otherShade } from "../color/theme";
import { type Context, type Shown, shownOf } from "../context";
import { QUALITY, TOOLBAR } from "../messages";
import { FEWEST_POINTS } from "../regions/density";
import { asCategories, categoryTitle, type Field, fieldsOf } from "../scene/fields";
import { oneLine } from "../scene/names";
import type { ClassLevel, Scene, SceneMap } from "../scene/scene";
import { search } from "../scene/search";
import { written } from "../scene/values";
import { choose, type Level, type State, showMap, type Tab, type Tool } from "../state";
import { button, type Child, html } from "../ui/elements";
import { type Icon, icon } from "../ui/marks";
import { Menu } from "../ui/menu";

/** What the toolbar asks others to do. */
interface Actions {
  goTo(points: Uint32Array): void;
  goHome(): void;
  toggleDisc(): void;
  /** Save the picture; `bare`: without title, lights and notes. */
  save(kind: "png" | "svg", bare: boolean): void;
}

const LEVELS: readonly (readonly [Level, string])[] = [
  ["data", "Data"],
  ["classes", "Classes"],
  ["object", "Point"],
];

type Weighting = ClassLevel["weighting"];

/** What can be shown or not, and its icon. */
const SWITCHES = [
  ["regions", "regions"],
  ["density", "density"],
  ["marks", "prototypes"],
  ["arrows", "arrows"],
  ["compressed", "compressed"],
] as const;
type Switch = (typeof SWITCHES)[number][0];

const TOOLS: readonly (readonly [Tool, string])[] = [
  ["pan", TOOLBAR.move],
  ["lasso", TOOLBAR.lasso],
  ["box", TOOLBAR.box],
];

/** Entries of a menu, in order: the numbers among their names would come first. */
function choicesOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, name]) => ({ value, words: name }));
}

/** Which share of the centers is shown, where they represent the points. */
const CENTERS = choicesOf(TOOLBAR.centers).sort((a, b) => +b.value - +a.value);
/** Which distances the map of classes is to preserve. */
const WEIGHTINGS = choicesOf(TOOLBAR.weightings);

/** The levels that a scene can show. */
export function levelsOf({ model }: Scene): Level[] {
  const has: Record<Level, boolean> = {
    data: true,
    classes: Boolean(model?.class_levels.length),
    object: Boolean(model?.class_distances),
  };
  return LEVELS.map(([level]) => level).filter((level) => has[level]);
}

/** Whether a map has three dimensions. */
function isSolid({ depth }: SceneMap): boolean {
  return depth != null;
}

/** Which of the switches a map has. */
function switchesOf(scene: Scene, { map, level }: State): Record<Switch, boolean> {
  const { regions, prototypes, arrows } = scene.maps[map];
  return {
    regions: regions !== null,
    density: scene.n_points > FEWEST_POINTS && !isSolid(scene.maps[map]),
    marks: prototypes !== null,
    arrows: arrows !== null,
    compressed: Boolean(scene.model?.compressed) && level === "data",
  };
}

export class Toolbar {
  readonly #context: Context;
  readonly #levels = new Map<Level, HTMLButtonElement>();
  readonly #tools = new Map<Tool, HTMLButtonElement>();
  readonly #switches: ReadonlyMap<Switch, HTMLButtonElement>;
  readonly #maps: Menu;
  readonly #colors: Menu;
  readonly #weights: Menu;
  readonly #centers: Menu;
  readonly #disc: HTMLButtonElement;
  readonly #theme: HTMLButtonElement;
  readonly #together: HTMLButtonElement;
  readonly #onMap: HTMLElement;
  /** Of them, what is for one map. */
  readonly #onOne: readonly HTMLElement[];
  /** What is for each picture, of whatever level. */
  readonly #onStage: HTMLElement;
  readonly #chosen = html("span", { class: "ls-tally", role: "status" });
  readonly #answer = html("span", { class: "ls-answer", role: "status" });

  constructor(
    header: HTMLElement,
    bar: HTMLElement,
    context: Context,
    actions: Actions,
  ) {
    const { store } = context;
    this.#context = context;
    this.#maps = new Menu("Map", (value) => showMap(store, Number(value)));
    this.#colors = new Menu("Color", (colorBy) => store.set({ colorBy }));
    this.#weights = new Menu("Weights", (value) =>
      store.set({ weighting: value as Weighting }),
    );
    this.#centers = new Menu("Centers", (value) =>
      store.set({ centers: Number(value) }),
    );
    this.#switches = new Map(
      SWITCHES.map(([name, sign]) => [
        name,
        toggle(sign, TOOLBAR.switches[name], () =>
          store.set({ [name]: !store.state[name] }),
        ),
      ]),
    );
    this.#disc = toggle("disc", TOOLBAR.disc, () => actions.toggleDisc());
    this.#together = button(
      [icon("together"), TOOLBAR.allMaps],
      () => store.set({ together: !store.state.together }),
      { title: QUALITY.allMaps },
    );
    this.#theme = action("theme", "", () =>
      store.set({ theme: otherShade(store.state.theme) }),
    );
    const home = action("home", TOOLBAR.home, () => actions.goHome());
    const ofMap = SWITCHES.map(([name]) => name).filter(
      (name) => name !== "compressed",
    );
    this.#onOne = [
      group("Tool", ...this.#toolButtons()),
      group("Shown", ...ofMap.map((name) => this.#switches.get(name) ?? null)),
    ];
    this.#onStage = group("Look", home, this.#disc);
    this.#onMap = html(
      "div",
      { class: "ls-bar-part" },
      this.#colors.el,
      ...this.#onOne,
    );
    this.#fillHeader(header, actions);
    this.#fillBar(bar, actions);
    store.on((state) => this.#update(state));
    this.#update(store.state);
    store.watch(["selection"], () => {
      this.#answer.textContent = "";
    });
  }

  #fillHeader(header: HTMLElement, actions: Actions): void {
    const { title, subtitle } = this.#context.scene;
    const levels = group("Level", ...this.#levelButtons());
    levels.classList.add("ls-levels");
    const save = (kind: "png" | "svg") =>
      button(
        [icon("save"), kind.toUpperCase()],
        (event) => actions.save(kind, event instanceof MouseEvent && event.shiftKey),
        {
          "aria-label": TOOLBAR.save(kind.toUpperCase()),
          title: TOOLBAR.saveTitle(kind.toUpperCase()),
        },
      );
    header.append(
      html(
        "div",
        { class: "ls-titles" },
        html("h1", { title }, title),
        html("p", { title: subtitle }, subtitle),
      ),
      levels,
      html("div", { class: "ls-group" }, this.#theme, save("png"), save("svg")),
    );
  }

  #fillBar(bar: HTMLElement, actions: Actions): void {
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Map");
    bar.append(
      this.#switches.get("compressed") ?? "",
      this.#centers.el,
      this.#together,
      this.#maps.el,
      this.#weights.el,
      this.#onMap,
      this.#onStage,
      html(
        "div",
        { class: "ls-bar-end" },
        this.#answer,
        this.#chosen,
        this.#searchBox(actions),
      ),
    );
  }

  #update(state: State): void {
    const { scene } = this.#context;
    const map = scene.maps[state.map];
    const shown = shownOf(scene, state);
    const together = shown === "maps";
    const onMap = shown === "map" || together;
    for (const [level, el] of this.#levels) {
      press(el, state.level === level);
    }
    for (const [tool, el] of this.#tools) {
      press(el, state.tool === tool);
    }
    label(this.#tools.get("pan"), isSolid(map) ? TOOLBAR.turn : TOOLBAR.move);
    const isThere = switchesOf(scene, state);
    for (const [name, el] of this.#switches) {
      press(el, state[name]);
      el.hidden = !isThere[name];
    }
    this.#updateMenus(state, shown);
    this.#together.hidden = !scene.comparison;
    press(this.#together, together);
    for (const part of this.#onOne) {
      part.hidden = together;
    }
    this.#onMap.hidden = !onMap;
    this.#onStage.hidden = together;
    this.#disc.hidden = onMap && isSolid(map);
    press(this.#disc, state.disc !== null);
    label(this.#theme, TOOLBAR.theme(otherShade(state.theme)));
    const n = state.selection.length;
    this.#chosen.textContent = n ? TOOLBAR.selected(n) : "";
  }

  #updateMenus(state: State, shown: Shown): void {
    const { scene } = this.#context;
    const maps = scene.maps.map(({ name }, i) => ({ value: String(i), words: name }));
    this.#maps.update(maps, String(state.map));
    this.#maps.el.hidden = scene.maps.length < 2 || shown !== "map";
    const colors = choices(scene, state.map);
    this.#colors.update(colors, state.colorBy);
    this.#colors.el.hidden = colors.length < 2;
    this.#centers.update(CENTERS, String(state.centers));
    this.#centers.el.hidden = shown !== "centers";
    this.#weights.update(WEIGHTINGS, state.weighting);
    this.#weights.el.hidden = shown !== "classes";
  }

  #levelButtons(): HTMLElement[] {
    const { scene, store } = this.#context;
    const levels = levelsOf(scene);
    if (levels.length < 2) {
      return [];
    }
    return LEVELS.filter(([level]) => levels.includes(level)).map(([level, name]) => {
      const open = () => store.set({ level, tab: tabOf(level, store.state) });
      const title = TOOLBAR.levels[level];
      const el = button(name, open, { title, "data-level": level });
      this.#levels.set(level, el);
      return el;
    });
  }

  #toolButtons(): HTMLElement[] {
    const { store } = this.#context;
    return TOOLS.map(([tool, words]) => {
      const el = toggle(tool, words, () => store.set({ tool }));
      el.dataset.tool = tool;
      this.#tools.set(tool, el);
      return el;
    });
  }

  #searchBox(actions: Actions): HTMLElement {
    const { scene } = this.#context;
    const input = html("input", {
      type: "search",
      class: "ls-search",
      placeholder: fieldsOf(scene).length
        ? TOOLBAR.searchExample(example(scene))
        : TOOLBAR.searchHint,
      "aria-label": TOOLBAR.search,
      title: TOOLBAR.searchTitle,
      oninput: () => {
        this.#answer.textContent = "";
      },
    });
    return html(
      "form",
      {
        role: "search",
        onsubmit: (event) => {
          event.preventDefault();
          const answer = search(scene, input.value);
          if ("words" in answer) {
            this.#answer.textContent = answer.words;
            return;
          }
          this.#answer.textContent = "";
          this.#choose(answer.points);
          actions.goTo(answer.points);
        },
      },
      input,
    );
  }

  /** Select the results; where one object is shown, it becomes one of them. */
  #choose(points: Uint32Array): void {
    const { store } = this.#context;
    const { tab, level, object } = store.state;
    const isOther = level === "object" && !points.includes(object ?? -1);
    choose(store, points, {
      ...(points.length > 0 && isOther ? { object: points[0] } : {}),
      tab: tab === "summary" && points.length > 0 ? "selection" : tab,
    });
  }
}

/** What the side panel shows of a level: what is chosen on it, or an overview. */
function tabOf(level: Level, { selection }: State): Tab {
  const onMap = selection.length > 0 ? "selection" : "summary";
  return { data: onMap, classes: "prototypes", object: "object" }[level] as Tab;
}

/** A question that this scene could answer. */
function example(scene: Scene): string {
  const fields = fieldsOf(scene);
  const differs = ({ numbers }: Field) =>
    numbers === null || numbers.low < numbers.high;
  const { name: given, column, numbers } = fields.find(differs) ?? fields[0];
  const name = oneLine(given);
  const categories = asCategories(column);
  if (categories !== null || numbers === null) {
    return `${name} = ${categories ? oneLine(categoryTitle(categories, 0)) : "…"}`;
  }
  const { low, high, kind } = numbers;
  return kind === "truth"
    ? `${name} = yes`
    : `${name} > ${written(numbers, (low + high) / 2)}`;
}

/** Say what a button does. */
function label(el: HTMLElement | undefined, words: string): void {
  el?.setAttribute("title", words);
  el?.setAttribute("aria-label", words);
}

/** Say whether what a button stands for is so. */
function press(el: HTMLElement, isPressed: boolean): void {
  el.setAttribute("aria-pressed", String(isPressed));
}

function action(name: Icon, words: string, onclick: () => void): HTMLButtonElement {
  const look = { class: "ls-button ls-icon-button", title: words, "aria-label": words };
  return button(icon(name), onclick, look);
}

function toggle(name: Icon, words: string, onclick: () => void): HTMLButtonElement {
  const el = action(name, words, onclick);
  press(el, false);
  return el;
}

/** Buttons side by side. */
function group(name: string, ...children: Child[]): HTMLElement {
  const attributes = { class: "ls-group", role: "group", "aria-label": name };
  return html("div", attributes, ...children);
}
