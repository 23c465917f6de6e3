/** Lays out the page: header, legend, stage, side panel; one stage at a time. */

import { choices } from "./color/coloring";
import { classColors, classProperty, quieted } from "./color/colors";
import { onSystemShade, otherShade, shadeOf } from "./color/theme";
import type { Context, Panel, Stage } from "./context";
import panelStyle from "./css/panels.css?inline";
import tableStyle from "./css/table.css?inline";
import together from "./css/together.css?inline";
import tokens from "./css/tokens.css?inline";
import style from "./css/view.css?inline";
import type { Measuring } from "./hosts/questions";
import { mergedCenters } from "./object/merged_centers";
import { KeyPanel } from "./panels/key";
import { LegendPanel } from "./panels/legend";
import { LightsBar } from "./panels/lights_bar";
import { ObjectPanel } from "./panels/object_panel";
import { PrototypesPanel } from "./panels/prototypes_panel";
import { QualityPanel } from "./panels/quality/quality_panel";
import { SelectionPanel } from "./panels/selection_panel";
import { SummaryPanel } from "./panels/summary/summary_panel";
import { onSuspectKey } from "./panels/summary/suspect_keys";
import { TablePanel } from "./panels/table/table_panel";
import { isTogether, levelsOf, Toolbar } from "./panels/toolbar";
import { VerdictStrip } from "./panels/verdict_strip";
import { frozen } from "./save/frozen_svg";
import { notSaved, save } from "./save/save";
import { suspectsOf } from "./scene/audit";
import { ClassesStage } from "./stages/classes_stage";
import { CompressedStage } from "./stages/compressed_stage";
import { DataStage } from "./stages/data_stage";
import { ObjectStage } from "./stages/object_stage";
import { TogetherStage } from "./stages/together_stage";
import type { Disc, State, Tab } from "./state";
import { button } from "./ui/button";
import { html, svg } from "./ui/elements";
import { notice } from "./ui/notice";

type Made = new (el: HTMLElement, context: Context) => Panel;

const TABS: readonly [Tab, string, Made][] = [
  ["summary", "Summary", SummaryPanel],
  ["selection", "Selection", SelectionPanel],
  ["object", "Object", ObjectPanel],
  ["table", "Table", TablePanel],
  ["prototypes", "Prototypes", PrototypesPanel],
  ["quality", "Quality", QualityPanel],
];

/** What says which stage there is. */
const STAGED = ["level", "compressed", "centers", "together", "weighting"] as const;

const STAGES = { data: DataStage, classes: ClassesStage, object: ObjectStage } as const;

export class View {
  readonly #root: HTMLElement;
  readonly #context: Context;
  readonly #stageBox = html("div", { class: "ls-stage-box" });
  readonly #forming = html("p", { class: "ls-forming", role: "status", hidden: true });
  readonly #panels: Panel[] = [];
  readonly #lights: LightsBar;
  readonly #tabs = new Map<Tab, { button: HTMLElement; page: HTMLElement }>();
  readonly #stops: (() => void)[];
  #stage: Stage | TogetherStage;
  #positions: Float32Array | null = null;

  constructor(el: HTMLElement, context: Context, height: number) {
    const { store } = context;
    const header = html("header", { class: "ls-header" });
    const bar = html("div", { class: "ls-toolbar" });
    const legend = html("aside", { class: "ls-legend", "aria-label": "Legend" });
    const lights = html("section", {
      class: "ls-lights-bar",
      "aria-label": "How far to believe it",
    });
    const strip = html("footer", { class: "ls-strip" });
    const side = html("aside", { class: "ls-side", "aria-label": "Details" });
    this.#context = context;
    this.#root = html(
      "div",
      { class: "ls-root" },
      html("style", {}, tokens, style, panelStyle, tableStyle, together),
      header,
      bar,
      html(
        "div",
        { class: "ls-body" },
        legend,
        // On a page of its own it is what the page is about.
        html(
          height === 0 ? "main" : "div",
          { class: "ls-middle" },
          lights,
          this.#stageBox,
          strip,
        ),
        side,
      ),
    );
    // Without classes or numbers, colours mean nothing.
    legend.hidden =
      choices(context.scene, 0).length < 2 && context.scene.classes.length === 0;
    this.#root.classList.toggle("ls-fill", height === 0);
    if (height > 0) {
      this.#root.style.setProperty("--ls-height", `${height}px`);
    }
    this.#shade();
    this.#root.addEventListener("keydown", (event) => {
      const input = event.target instanceof HTMLInputElement ? event.target : null;
      // In the search for points, Escape takes back what was found, too.
      if (event.key === "Escape" && (!input || input.matches(".ls-search"))) {
        store.set({ selection: new Uint32Array(), hover: null });
      }
      onSuspectKey(context, event);
    });
    // Single keys do things here: JupyterLab is not to change a cell for them.
    this.#root.toggleAttribute(
      "data-lm-suppress-shortcuts",
      suspectsOf(context.scene).size > 0,
    );
    el.append(this.#root);
    this.#fillSide(side);
    this.#lights = new LightsBar(lights, context);
    this.#panels.push(
      this.#lights,
      new LegendPanel(legend, context),
      new KeyPanel(legend, context),
      new VerdictStrip(strip, context),
      new Toolbar(header, bar, context, {
        goTo: (points) => this.dataStage?.goTo(points),
        goHome: () => this.#bendable?.goHome(),
        toggleDisc: () => this.#toggleDisc(),
        save: (kind, bare) => {
          save(kind, this, context, bare).catch((error) => this.tell(notSaved(error)));
        },
      }),
    );
    this.#stage = this.#makeStage(store.state);
    this.#showTab(store.state.tab);
    this.#stops = [
      store.on((state, before) => this.#update(state, before)),
      onSystemShade(() => this.#reshade()),
    ];
  }

  /** The data stage, where it is the one that is shown. */
  get dataStage(): DataStage | null {
    return this.#stage instanceof DataStage ? this.#stage : null;
  }

  /** What is on the stage, to be saved. */
  async drawing(vector: boolean): Promise<SVGSVGElement> {
    if (this.#stage instanceof TogetherStage) {
      return this.#stage.drawing();
    }
    const shown = this.#stageBox.querySelector("svg");
    return this.dataStage?.drawing(vector) ?? frozen(shown ?? svg("svg"));
  }

  /** What is said on and under the stage, to be saved with it. */
  words(): string[] {
    const said = this.#root.querySelectorAll(
      ".ls-strip p, .ls-stage-words, .ls-further:not([hidden])[data-shows=middle]",
    );
    return Array.from(said, ({ textContent }) => textContent ?? "").filter(Boolean);
  }

  /** Say whether honesty can be measured now, and how far that is. */
  judging(measuring: Measuring): void {
    this.#lights.judging(measuring);
  }

  /** Show a map that is still being made, and how far it is; null when it is done. */
  form(positions: Float32Array | null, words: string): void {
    this.#forming.textContent = words;
    this.#forming.hidden = positions === null;
    this.#positions = positions;
    this.dataStage?.form(positions);
  }

  /** Say something on the stage, until it is put away. */
  tell(words: string): void {
    this.#stageBox.querySelector(":scope > .ls-notice")?.remove();
    this.#stageBox.append(notice(words));
  }

  destroy(): void {
    for (const stop of this.#stops) {
      stop();
    }
    for (const panel of [...this.#panels, this.#stage]) {
      panel.destroy();
    }
    this.#root.remove();
  }

  #update(state: State, before: State): void {
    const focused = this.#root.ownerDocument.activeElement;
    const wasOnStage = this.#stageBox.contains(focused);
    const tabs = [...this.#tabs.values()];
    const page = tabs.find(({ page }) => page.contains(focused))?.page;
    if (state.theme !== before.theme) {
      this.#shade();
    }
    if (state.tab !== before.tab) {
      this.#showTab(state.tab);
    }
    for (const panel of this.#panels) {
      panel.update(state, before);
    }
    if (STAGED.some((name) => state[name] !== before[name])) {
      this.#stage.destroy();
      this.#stage = this.#makeStage(state);
      this.dataStage?.form(this.#positions);
      // Nobody points at anything on a stage that is new.
      this.#context.store.set({ hover: null, disc: this.#renewed(state.disc) });
      if (wasOnStage) {
        focusOn(this.#stageBox.querySelector(".ls-stage > .ls-svg-stage, .ls-data"));
      }
    } else {
      this.#stage.update(state, before);
    }
    if (page?.hidden) {
      focusOn(this.#root.querySelector("[role=tab][aria-selected=true]"));
    }
  }

  /** The stage, where it shows one picture. */
  get #bendable(): Stage | null {
    return this.#stage instanceof TogetherStage ? null : this.#stage;
  }

  /** A focus is a place of one picture; another one is shown around its own middle. */
  #renewed(disc: Disc | null): Disc | null {
    return disc && (this.#bendable?.usualDisc() ?? disc);
  }

  #toggleDisc(): void {
    const { store } = this.#context;
    const disc = store.state.disc ? null : (this.#bendable?.usualDisc() ?? null);
    store.set({ disc });
  }

  #makeStage(state: State): Stage | TogetherStage {
    const { level, compressed } = state;
    const shown = levelsOf(this.#context.scene).includes(level) ? level : "data";
    const el = html("div", { class: "ls-stage", "data-level": shown, tabindex: -1 });
    this.#root.dataset.level = shown;
    this.#stageBox.replaceChildren(el, this.#forming);
    const { comparison } = this.#context.scene;
    if (comparison && isTogether(this.#context.scene, state)) {
      return new TogetherStage(el, this.#context, comparison);
    }
    const centers = this.#context.scene.model?.compressed;
    return shown === "data" && compressed && centers
      ? new CompressedStage(el, this.#context, mergedCenters(centers, state.centers))
      : new STAGES[shown](el, this.#context);
  }

  #fillSide(side: HTMLElement): void {
    const { model, features } = this.#context.scene;
    const compares = model !== null || features.length > 0;
    const tabs = TABS.filter(([tab]) => compares || tab !== "prototypes");
    const list = html("div", {
      class: "ls-tabs",
      role: "tablist",
      onkeydown: (event) => this.#onTabKey(event as KeyboardEvent),
    });
    side.append(list);
    for (const [tab, name, Made] of tabs) {
      // Without a model there are only objects whose features can be compared.
      const words = tab === "prototypes" && model === null ? "Features" : name;
      const id = `ls-${tab}-${++made}`;
      const page = html("div", {
        class: "ls-page",
        role: "tabpanel",
        id,
        "data-page": tab,
      });
      const opener = button(words, () => this.#context.store.set({ tab }), {
        role: "tab",
        class: "ls-tab",
        "aria-controls": id,
        "data-tab": tab,
      });
      page.setAttribute("aria-label", words);
      list.append(opener);
      side.append(page);
      this.#tabs.set(tab, { button: opener, page });
      this.#panels.push(new Made(page, this.#context));
    }
  }

  #showTab(wanted: Tab): void {
    const shown = this.#tabs.has(wanted) ? wanted : "summary";
    for (const [tab, { button, page }] of this.#tabs) {
      button.setAttribute("aria-selected", String(tab === shown));
      button.tabIndex = tab === shown ? 0 : -1;
      page.hidden = tab !== shown;
    }
  }

  #onTabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...this.#tabs];
    const now = tabs.findIndex(([tab]) => tab === this.#context.store.state.tab);
    const next = tabs[now + (step ?? 0)];
    if (step && next) {
      this.#context.store.set({ tab: next[0] });
      next[1].button.focus();
    }
  }

  /** The system, or the program around, has turned light or dark: to the parts, as if a person had. */
  #reshade(): void {
    const { state } = this.#context.store;
    this.#update(state, { ...state, theme: otherShade(state.theme) });
  }

  #shade(): void {
    const shade = shadeOf(this.#context.store.state.theme);
    this.#root.dataset.theme = shade;
    classColors(shade).forEach((color, index) => {
      this.#root.style.setProperty(classProperty(index), color);
      this.#root.style.setProperty(
        `${classProperty(index)}-quiet`,
        quieted(color, shade),
      );
    });
  }
}

/** For who had the focus on what is gone: keys go on to be heard. */
function focusOn(el: HTMLElement | null): void {
  el?.focus({ preventScroll: true });
}

let made = 0;
