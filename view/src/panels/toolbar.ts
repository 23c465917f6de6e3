/** The controls above the stage: level, map, colours, tools, search, and saving. */

import { choices } from "../color/coloring";
import { otherShade } from "../color/theme";
import type { Context, Panel } from "../context";
import { canWeigh } from "../object/class_layout";
import { FEWEST_POINTS } from "../regions/density";
import { asCategories, categoryTitle, type Field, fieldsOf } from "../scene/fields";
import { search } from "../scene/rows/search";
import type { Scene, SceneMap } from "../scene/scene";
import * as format from "../scene/words/format";
import { oneLine } from "../scene/words/names";
import { written } from "../scene/words/values";
import type { Level, State, Tab, Tool, Weighting } from "../state";
import { button } from "../ui/button";
import { html } from "../ui/elements";
import { type Icon, icon } from "../ui/icons";
import { Menu } from "../ui/menu";

/** What the toolbar asks others to do. */
interface Actions {
  goTo(points: Uint32Array): void;
  goHome(): void;
  toggleDisc(): void;
  /** Save the picture; `bare`: without title, lights and notes. */
  save(kind: "png" | "svg", bare: boolean): void;
}

const LEVELS: readonly [Level, string, string][] = [
  ["data", "Data", "All objects on a map"],
  ["classes", "Classes", "The prototypes of the classes"],
  ["object", "Object", "One object and the nearest prototype of each class"],
];

/** Which distances the map of classes is to keep. */
const WEIGHTINGS: readonly { value: Weighting; words: string }[] = [
  { value: "prototype", words: "prototypes" },
  { value: "same_class", words: "same class, too" },
  { value: "object", words: "objects" },
  { value: "uniform", words: "none (all alike)" },
];

/** Which share of the centres is shown, where they stand for objects. */
const CENTERS: readonly { value: string; words: string }[] = [
  { value: "1", words: "all there are" },
  { value: "0.5", words: "half as many" },
  { value: "0.25", words: "a quarter" },
  { value: "0.1", words: "a tenth" },
  { value: "0", words: "one for each class" },
];

/** What the button of the disc does. */
const DISC = "Fish-eye: a part large, the rest around it (hyperbolic focus)";

const MOVE = "Move the map";
const TURN = "Turn the map; the right button moves it";

const TOOLS: readonly [Tool, string][] = [
  ["pan", MOVE],
  ["lasso", "Choose with a lasso (also: Shift and drag)"],
  ["box", "Choose with a box"],
];

/** The levels that a scene can show. */
export function levelsOf({ model }: Scene): Level[] {
  const has: Record<Level, boolean> = {
    data: true,
    classes: Boolean(model?.class_level),
    object: Boolean(model?.class_distances),
  };
  return LEVELS.map(([level]) => level).filter((level) => has[level]);
}

/** Whether all maps are on the stage. */
export function isTogether({ comparison }: Scene, { together, level }: State): boolean {
  return together && level === "data" && Boolean(comparison);
}

/** Whether a map has three dimensions. */
function isSolid({ depth }: SceneMap): boolean {
  return depth != null;
}

/** Whether centres stand for the objects. */
function isCompressed({ model }: Scene, { compressed }: State): boolean {
  return compressed && Boolean(model?.compressed);
}

export class Toolbar implements Panel {
  readonly #context: Context;
  readonly #levels = new Map<Level, HTMLButtonElement>();
  readonly #tools = new Map<Tool, HTMLButtonElement>();
  readonly #maps: Menu;
  readonly #colors: Menu;
  readonly #weights: Menu;
  readonly #centers: Menu;
  readonly #regions: HTMLButtonElement;
  readonly #density: HTMLButtonElement;
  readonly #marks: HTMLButtonElement;
  readonly #arrows: HTMLButtonElement;
  readonly #disc: HTMLButtonElement;
  readonly #compressed: HTMLButtonElement;
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
    const { scene, store } = context;
    this.#context = context;
    this.#maps = new Menu("Map", (value) => store.set({ map: Number(value) }));
    this.#colors = new Menu("Colour", (colorBy) => store.set({ colorBy }));
    this.#weights = new Menu("Weights", (value) =>
      store.set({ weighting: value as Weighting }),
    );
    this.#centers = new Menu("Centres", (value) =>
      store.set({ centers: Number(value) }),
    );
    this.#regions = toggle("regions", "Show where the model decides what", () =>
      store.set({ regions: !store.state.regions }),
    );
    this.#density = toggle("density", "Lines of equal density", () =>
      store.set({ density: !store.state.density }),
    );
    this.#marks = toggle("prototypes", "Show the prototypes", () =>
      store.set({ marks: !store.state.marks }),
    );
    this.#arrows = toggle("arrows", "Arrows: where features grow", () =>
      store.set({ arrows: !store.state.arrows }),
    );
    this.#disc = toggle("disc", DISC, () => actions.toggleDisc());
    this.#compressed = toggle(
      "compressed",
      "Few points for many: show the middle of each group",
      () => store.set({ compressed: !store.state.compressed }),
    );
    this.#together = button([icon("together"), "All maps"], () => this.#gather(), {
      title: "All maps side by side",
    });
    this.#theme = toggle("theme", "", () =>
      store.set({ theme: otherShade(store.state.theme) }),
    );
    this.#theme.removeAttribute("aria-pressed");
    const save = (kind: "png" | "svg") =>
      button(
        [icon("save"), kind.toUpperCase()],
        (event) => actions.save(kind, event instanceof MouseEvent && event.shiftKey),
        {
          "aria-label": `Save as ${kind.toUpperCase()}`,
          title: `Save the picture as ${kind.toUpperCase()}. With Shift: without title, lights and notes`,
        },
      );
    const home = toggle("home", "Show the whole map (0)", () => actions.goHome());
    home.removeAttribute("aria-pressed");
    this.#onOne = [
      html(
        "div",
        { class: "ls-group", role: "group", "aria-label": "Tool" },
        ...this.#toolButtons(),
      ),
      html(
        "div",
        { class: "ls-group", role: "group", "aria-label": "Shown" },
        this.#regions,
        this.#density,
        this.#marks,
        this.#arrows,
      ),
    ];
    this.#onStage = html(
      "div",
      { class: "ls-group", role: "group", "aria-label": "Look" },
      home,
      this.#disc,
    );
    this.#onMap = html(
      "div",
      { class: "ls-bar-part" },
      this.#colors.el,
      ...this.#onOne,
    );
    header.append(
      html(
        "div",
        { class: "ls-titles" },
        html("h1", { title: scene.title }, scene.title),
        html("p", { title: scene.subtitle }, scene.subtitle),
      ),
      html(
        "div",
        { class: "ls-group ls-levels", role: "group", "aria-label": "Level" },
        ...this.#levelButtons(),
      ),
      html("div", { class: "ls-group" }, this.#theme, save("png"), save("svg")),
    );
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Map");
    bar.append(
      this.#compressed,
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
    this.update(store.state);
  }

  update(state: State, before: State = state): void {
    const { scene } = this.#context;
    const map = scene.maps[state.map];
    for (const [level, el] of this.#levels) {
      el.setAttribute("aria-pressed", String(state.level === level));
    }
    for (const [tool, el] of this.#tools) {
      el.setAttribute("aria-pressed", String(state.tool === tool));
    }
    label(this.#tools.get("pan"), isSolid(map) ? TURN : MOVE);
    const maps = scene.maps.map(({ name }, i) => ({ value: String(i), words: name }));
    this.#maps.update(maps, String(state.map));
    const colors = choices(scene, state.map);
    this.#colors.update(colors, state.colorBy);
    this.#colors.el.hidden = colors.length < 2;
    const onMap = state.level === "data" && !isCompressed(scene, state);
    const together = isTogether(scene, state);
    this.#together.hidden = !scene.comparison;
    this.#together.setAttribute("aria-pressed", String(together));
    this.#maps.el.hidden = scene.maps.length < 2 || !onMap || together;
    for (const part of this.#onOne) {
      part.hidden = together;
    }
    this.#onMap.hidden = !onMap;
    this.#centers.update(CENTERS, String(state.centers));
    this.#centers.el.hidden = state.level !== "data" || !isCompressed(scene, state);
    this.#weights.update(WEIGHTINGS, state.weighting);
    this.#weights.el.hidden = state.level !== "classes" || !canWeigh(scene);
    this.#onStage.hidden = together;
    this.#compressed.hidden = !scene.model?.compressed || state.level !== "data";
    this.#regions.hidden = map.regions == null;
    this.#regions.setAttribute("aria-pressed", String(state.regions));
    this.#density.hidden = scene.n_points <= FEWEST_POINTS || isSolid(map);
    this.#density.setAttribute("aria-pressed", String(state.density));
    this.#marks.hidden = map.prototypes == null;
    this.#marks.setAttribute("aria-pressed", String(state.marks));
    this.#arrows.hidden = map.arrows == null;
    this.#arrows.setAttribute("aria-pressed", String(state.arrows));
    this.#disc.hidden = onMap && isSolid(map);
    this.#disc.setAttribute("aria-pressed", String(state.disc !== null));
    this.#compressed.setAttribute("aria-pressed", String(state.compressed));
    label(this.#theme, `Turn ${otherShade(state.theme)}`);
    const chosen = state.selection.length;
    this.#chosen.textContent = chosen ? `${format.count(chosen)} chosen` : "";
    if (state.selection !== before.selection) {
      this.#answer.textContent = "";
    }
  }

  destroy(): void {}

  #levelButtons(): HTMLElement[] {
    const { scene, store } = this.#context;
    const levels = levelsOf(scene);
    if (levels.length < 2) {
      return [];
    }
    return LEVELS.filter(([level]) => levels.includes(level)).map(
      ([level, name, words]) => {
        const el = button(
          name,
          () => store.set({ level, tab: tabOf(level, store.state) }),
          {
            title: words,
            "data-level": level,
          },
        );
        this.#levels.set(level, el);
        return el;
      },
    );
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
        ? `id, or ${example(scene)}`
        : "id or class = …",
      "aria-label": "Search by id or value",
      title:
        "Join comparisons by and, or, not and brackets: " +
        "prediction != class and not (a = 1 or b < 2)",
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
          const found = search(scene, input.value);
          if ("words" in found) {
            this.#answer.textContent = found.words;
            return;
          }
          this.#answer.textContent = "";
          this.#choose(found.points);
          actions.goTo(found.points);
        },
      },
      input,
    );
  }

  /** Choose what was found; where one object is shown, it is one of them. */
  #choose(points: Uint32Array): void {
    const { store } = this.#context;
    const { tab, level, object } = store.state;
    const isOther = level === "object" && !points.includes(object ?? -1);
    store.set({
      selection: points,
      object: points.length > 0 && isOther ? points[0] : object,
      tab: tab === "summary" && points.length > 0 ? "selection" : tab,
    });
  }

  #gather(): void {
    const { store } = this.#context;
    store.set({ together: !store.state.together });
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

function toggle(name: Icon, words: string, onclick: () => void): HTMLButtonElement {
  return button(icon(name), onclick, {
    class: "ls-button ls-icon-button",
    title: words,
    "aria-label": words,
    "aria-pressed": "false",
  });
}
