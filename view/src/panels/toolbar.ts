/** The controls above the stage: level, map, colors, tools, search, and saving. */

import { type Choice, choices } from "../color/coloring";
import { otherShade } from "../color/theme";
import { type Context, type Shown, shownOf } from "../context";
import { QUALITY, TOOLBAR } from "../messages";
import { FEWEST_POINTS } from "../regions/density";
import { asCategories, categoryTitle, type Field, fieldsOf } from "../scene/fields";
import { oneLine } from "../scene/names";
import type { Scene, SceneMap } from "../scene/scene";
import { search } from "../scene/search";
import { written } from "../scene/values";
import { choose, type Level, type State, showMap, type Tab, type Tool } from "../state";
import { button, type Child, html } from "../ui/elements";
import { type Icon, icon } from "../ui/marks";
import { Menu } from "../ui/menu";

/** Actions of the view that the toolbar starts. */
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

/** Parts that can be shown or hidden, and their icons. */
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

/** Entries of a menu in their given order; a record would put numeric keys first. */
function choicesOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, name]) => ({ value, words: name }));
}

/** The share of the centers that is shown instead of the points. */
const CENTERS = choicesOf(TOOLBAR.centers).sort((a, b) => +b.value - +a.value);
/** The distances that the map of classes preserves best. */
const WEIGHTINGS = choicesOf(TOOLBAR.weightings);

/** The levels that a scene has. */
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

/** Whether a map has this switch. */
function hasSwitch(scene: Scene, name: Switch, { map, level }: State): boolean {
  const { regions, prototypes, arrows } = scene.maps[map];
  return {
    regions: regions !== null,
    density: scene.n_points > FEWEST_POINTS && !isSolid(scene.maps[map]),
    marks: prototypes !== null,
    arrows: arrows !== null,
    compressed: Boolean(scene.model?.compressed) && level === "data",
  }[name];
}

type Test = (state: State, shown: Shown) => boolean;

export class Toolbar {
  /** Functions that update each control. */
  readonly #updates: ((state: State, shown: Shown) => void)[] = [];
  readonly #answer = html("span.ls-answer", { role: "status" });

  constructor(
    header: HTMLElement,
    bar: HTMLElement,
    private readonly context: Context,
    private readonly actions: Actions,
  ) {
    const { scene, store } = context;
    this.#fillHeader(header);
    this.#fillBar(bar);
    const update = (state: State) => {
      for (const one of this.#updates) {
        one(state, shownOf(scene, state));
      }
    };
    store.on(update);
    update(store.state);
    store.watch(["selection"], () => {
      this.#answer.textContent = "";
    });
  }

  #fillHeader(header: HTMLElement): void {
    const { scene, store } = this.context;
    const { title, subtitle } = scene;
    const levels = group("Level", ...this.#levelButtons());
    levels.classList.add("ls-levels");
    const theme = action("theme", "", () =>
      store.set({ theme: otherShade(store.state.theme) }),
    );
    this.#updates.push((state) => label(theme, TOOLBAR.theme(otherShade(state.theme))));
    const save = (kind: "png" | "svg") =>
      button(
        [icon("save"), kind.toUpperCase()],
        (event) =>
          this.actions.save(kind, event instanceof MouseEvent && event.shiftKey),
        {
          "aria-label": TOOLBAR.save(kind.toUpperCase()),
          title: TOOLBAR.saveTitle(kind.toUpperCase()),
        },
      );
    header.append(
      html(
        "div.ls-titles",
        html("h1", { title }, title),
        html("p", { title: subtitle }, subtitle),
      ),
      levels,
      html("div.ls-group", theme, save("png"), save("svg")),
    );
  }

  #fillBar(bar: HTMLElement): void {
    const { scene, store } = this.context;
    const isMap: Test = (_, shown) => shown === "map";
    const isNotMaps: Test = (_, shown) => shown !== "maps";
    const home = action("home", TOOLBAR.home, () => this.actions.goHome());
    const disc = this.#pressed(
      action("disc", TOOLBAR.disc, () => this.actions.toggleDisc()),
      ({ disc }) => disc !== null,
    );
    const isFlat: Test = ({ map }, shown) =>
      (shown !== "map" && shown !== "maps") || !isSolid(scene.maps[map]);
    const together = button(
      [icon("together"), TOOLBAR.allMaps],
      () => store.set({ together: !store.state.together }),
      { title: QUALITY.allMaps, hidden: !scene.comparison },
    );
    const selected = html("span.ls-tally", { role: "status" });
    this.#updates.push(({ selection: { length } }) => {
      selected.textContent = length ? TOOLBAR.selected(length) : "";
    });
    const maps = scene.maps.map(({ name }, i) => ({ value: String(i), words: name }));
    const switches = SWITCHES.map((one) => this.#switch(one));
    const onMap = html(
      "div.ls-bar-part",
      this.#menu(
        "Color",
        (colorBy) => store.set({ colorBy }),
        ({ map }) => choices(scene, map),
        ({ colorBy }) => colorBy,
        ({ map }) => choices(scene, map).length > 1,
      ),
      this.#shown(group("Tool", ...this.#toolButtons()), isNotMaps),
      this.#shown(group("Shown", ...switches.slice(0, -1)), isNotMaps),
    );
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Map");
    bar.append(
      ...switches.slice(-1),
      this.#menu(
        "Centers",
        (value) => store.set({ centers: Number(value) }),
        () => CENTERS,
        ({ centers }) => String(centers),
        (_, shown) => shown === "centers",
      ),
      this.#pressed(together, (_, shown) => shown === "maps"),
      this.#menu(
        "Map",
        (value) => showMap(store, Number(value)),
        () => maps,
        ({ map }) => String(map),
        (_, shown) => maps.length > 1 && shown === "map",
      ),
      this.#menu(
        "Weights",
        (value) => store.set({ weighting: value as State["weighting"] }),
        () => WEIGHTINGS,
        ({ weighting }) => weighting,
        (_, shown) => shown === "classes",
      ),
      this.#shown(onMap, (state, shown) => isMap(state, shown) || shown === "maps"),
      this.#shown(group("Look", home, this.#shown(disc, isFlat)), isNotMaps),
      html("div.ls-bar-end", this.#answer, selected, this.#searchBox()),
    );
  }

  /** A control that is shown only under a condition. */
  #shown<E extends HTMLElement>(el: E, isShown: Test): E {
    this.#updates.push((state, shown) => {
      el.hidden = !isShown(state, shown);
    });
    return el;
  }

  /** A button that is pressed under a condition. */
  #pressed<E extends HTMLElement>(el: E, isPressed: Test): E {
    this.#updates.push((state, shown) => {
      el.setAttribute("aria-pressed", String(isPressed(state, shown)));
    });
    return el;
  }

  #menu(
    name: string,
    choose: (value: string) => void,
    choicesFor: (state: State) => readonly Choice[],
    value: (state: State) => string,
    isShown: Test,
  ): HTMLElement {
    const menu = new Menu(name, choose);
    this.#updates.push((state) => menu.update(choicesFor(state), value(state)));
    return this.#shown(menu.el, isShown);
  }

  #switch([name, sign]: (typeof SWITCHES)[number]): HTMLElement {
    const { scene, store } = this.context;
    const el = action(sign, TOOLBAR.switches[name], () =>
      store.set({ [name]: !store.state[name] }),
    );
    this.#pressed(el, (state) => state[name]);
    return this.#shown(el, (state) => hasSwitch(scene, name, state));
  }

  #levelButtons(): HTMLElement[] {
    const { scene, store } = this.context;
    const levels = levelsOf(scene);
    return LEVELS.filter(([one]) => levels.length > 1 && levels.includes(one)).map(
      ([level, name]) => {
        const open = () => store.set({ level, tab: tabOf(level, store.state) });
        const title = TOOLBAR.levels[level];
        const el = button(name, open, { title, "data-level": level });
        return this.#pressed(el, (state) => state.level === level);
      },
    );
  }

  #toolButtons(): HTMLElement[] {
    const { scene, store } = this.context;
    return TOOLS.map(([tool, words]) => {
      const el = action(tool, words, () => store.set({ tool }));
      el.dataset.tool = tool;
      if (tool === "pan") {
        this.#updates.push(({ map }) =>
          label(el, isSolid(scene.maps[map]) ? TOOLBAR.turn : TOOLBAR.move),
        );
      }
      return this.#pressed(el, (state) => state.tool === tool);
    });
  }

  #searchBox(): HTMLElement {
    const { scene, store } = this.context;
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
    const submit = (event: Event) => {
      event.preventDefault();
      const answer = search(scene, input.value);
      this.#answer.textContent = "words" in answer ? answer.words : "";
      if ("points" in answer) {
        const { points } = answer;
        const { tab, level, object } = store.state;
        // If one point is shown, another point from the results replaces it.
        const isOther = level === "object" && !points.includes(object ?? -1);
        choose(store, points, {
          ...(points.length > 0 && isOther ? { object: points[0] } : {}),
          tab: tab === "summary" && points.length > 0 ? "selection" : tab,
        });
        this.actions.goTo(points);
      }
    };
    return html("form", { role: "search", onsubmit: submit }, input);
  }
}

/** The tab of the side panel for a level: the selection, or an overview. */
function tabOf(level: Level, { selection }: State): Tab {
  const onMap = selection.length > 0 ? "selection" : "summary";
  return { data: onMap, classes: "prototypes", object: "object" }[level] as Tab;
}

/** An example of a search for this scene. */
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

/** Set the label and tooltip of a button. */
function label(el: HTMLElement, words: string): void {
  el.setAttribute("title", words);
  el.setAttribute("aria-label", words);
}

function action(name: Icon, words: string, onclick: () => void): HTMLButtonElement {
  const look = { class: "ls-button ls-icon-button", title: words, "aria-label": words };
  return button(icon(name), onclick, look);
}

/** A group of buttons in a row. */
function group(name: string, ...children: Child[]): HTMLElement {
  const attributes = { class: "ls-group", role: "group", "aria-label": name };
  return html("div", attributes, ...children);
}
