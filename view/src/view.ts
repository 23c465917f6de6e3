/** The layout of the page: header, legend, stage and side panel, with one stage at a time. */

import { choices } from "./color/coloring";
import { classColors, classProperty, quieted } from "./color/colors";
import { onSystemShade, otherShade, shadeOf } from "./color/theme";
import { type Context, type Panel, type Stage, shownOf } from "./context";
import panelStyle from "./css/panels.css?inline";
import tableStyle from "./css/table.css?inline";
import together from "./css/together.css?inline";
import tokens from "./css/tokens.css?inline";
import style from "./css/view.css?inline";
import { frozen } from "./files/out";
import type { Measuring } from "./hosts/questions";
import { LIGHTS } from "./messages";
import { KeyPanel } from "./panels/key";
import { LegendPanel } from "./panels/legend";
import { ObjectPanel } from "./panels/object_panel";
import { PrototypesPanel } from "./panels/prototypes_panel";
import { QualityPanel } from "./panels/quality_panel";
import { SelectionPanel } from "./panels/selection_panel";
import { SummaryPanel } from "./panels/summary/summary_panel";
import { onSuspectKey } from "./panels/summary/suspects_section";
import { TablePanel } from "./panels/table_panel";
import { levelsOf, Toolbar } from "./panels/toolbar";
import { LightsBar, WarningStrip } from "./panels/verdict";
import { notSaved, save } from "./save/save";
import { suspectsOf } from "./scene/marked_points";
import { ClassesStage } from "./stages/classes_stage";
import { CompressedStage, mergedCenters } from "./stages/compressed_stage";
import { DataStage } from "./stages/data_stage";
import { ObjectStage } from "./stages/object_stage";
import { TogetherStage } from "./stages/together_stage";
import { areOther, choose, type State, type Tab } from "./state";
import { button, html, notice, svg } from "./ui/elements";

type PanelClass = new (el: HTMLElement, context: Context) => Panel;

const TABS: readonly [Tab, string, PanelClass][] = [
  ["summary", "Summary", SummaryPanel],
  ["selection", "Selection", SelectionPanel],
  ["object", "Point", ObjectPanel],
  ["table", "Table", TablePanel],
  ["prototypes", "Prototypes", PrototypesPanel],
  ["quality", "Quality", QualityPanel],
];

/** The parts of the state that decide which stage is shown. */
const STAGED = [
  "level",
  "compressed",
  "centers",
  "together",
  "weighting",
  "classPoints",
] as const;

const STAGES = { data: DataStage, classes: ClassesStage, object: ObjectStage } as const;

export class View {
  readonly #root: HTMLElement;
  readonly #context: Context;
  readonly #stageBox = html("div.ls-stage-box");
  readonly #forming = html("p.ls-forming", { role: "status", hidden: true });
  readonly #panels: Panel[] = [];
  readonly #lights: LightsBar;
  readonly #tabs = new Map<Tab, { button: HTMLElement; page: HTMLElement }>();
  readonly #stopShade: () => void;
  #stage: Stage | TogetherStage;
  #positions: Float32Array | null = null;

  constructor(el: HTMLElement, context: Context, height: number) {
    const { store } = context;
    const header = html("header.ls-header");
    const bar = html("div.ls-toolbar");
    const legend = html("aside.ls-legend", { "aria-label": "Legend" });
    const lights = html("section.ls-lights-bar", { "aria-label": LIGHTS.label });
    const strip = html("footer.ls-strip");
    const side = html("aside.ls-side", { "aria-label": "Details" });
    this.#context = context;
    this.#root = html(
      "div.ls-root",
      html("style", tokens, style, panelStyle, tableStyle, together),
      header,
      bar,
      html(
        "div.ls-body",
        legend,
        // On a separate page, this title is the title of the page.
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
    // Without classes or numbers, colors have no meaning.
    legend.hidden =
      choices(context.scene, 0).length < 2 && context.scene.classes.length === 0;
    this.#root.classList.toggle("ls-fill", height === 0);
    if (height > 0) {
      this.#root.style.setProperty("--ls-height", `${height}px`);
    }
    this.#listenToKeys();
    // Tabs are drawn when they are visible, so theme and tab are set before the panels.
    store.watch(["theme"], () => this.#shade());
    store.watch(["tab"], () => this.#showTab());
    el.append(this.#root);
    this.#fillSide(side);
    this.#lights = new LightsBar(lights, context);
    new LegendPanel(legend, context);
    new KeyPanel(legend, context);
    new WarningStrip(strip, context);
    new Toolbar(header, bar, context, this);
    this.#stage = this.#makeStage(store.state);
    store.on((state, before) => this.#update(state, before));
    // The theme of the system or of the surrounding program has changed.
    this.#stopShade = onSystemShade(() =>
      store.tell({ theme: otherShade(store.state.theme) }),
    );
  }

  /** The data stage, if it is shown. */
  get dataStage(): DataStage | null {
    return this.#stage instanceof DataStage ? this.#stage : null;
  }

  /** The current stage as a drawing, to be saved. */
  async drawing(vector: boolean): Promise<SVGSVGElement> {
    if (this.#stage instanceof TogetherStage) {
      return this.#stage.drawing();
    }
    const shown = this.#stageBox.querySelector("svg");
    return this.dataStage?.drawing(vector) ?? frozen(shown ?? svg("svg"));
  }

  /** The texts on and below the stage, to be saved with it. */
  words(): string[] {
    const sentences = this.#root.querySelectorAll(
      ".ls-lights-bar:not([hidden]) .ls-stretch:not([hidden]), .ls-strip p, .ls-stage-words, .ls-further:not([hidden])[data-shows=middle]",
    );
    return Array.from(sentences, ({ textContent }) => textContent ?? "").filter(
      Boolean,
    );
  }

  /** Show whether the map can be tested now, and the progress of the test. */
  judging(measuring: Measuring): void {
    this.#lights.judging(measuring);
  }

  /** Show a map during its fit, and its progress; null when the fit has ended. */
  form(positions: Float32Array | null, words: string): void {
    this.#forming.textContent = words;
    this.#forming.hidden = positions === null;
    this.#positions = positions;
    this.dataStage?.form(positions);
  }

  /** Show a message on the stage until the user closes it. */
  tell(words: string): void {
    this.#stageBox.querySelector(":scope > .ls-notice")?.remove();
    this.#stageBox.append(notice(words));
  }

  destroy(): void {
    this.#stopShade();
    for (const panel of [...this.#panels, this.#stage]) {
      panel.destroy();
    }
    this.#root.remove();
  }

  #listenToKeys(): void {
    const { scene, store } = this.#context;
    this.#root.addEventListener("keydown", (event) => {
      const input = event.target instanceof HTMLInputElement ? event.target : null;
      // In the search for points, Escape also clears the result.
      if (event.key === "Escape" && (!input || input.matches(".ls-search"))) {
        choose(store, new Uint32Array(), { hover: null });
      }
      onSuspectKey(this.#context, event);
    });
    // Single keys have functions here, so JupyterLab must not use them.
    const hasSuspects = suspectsOf(scene).size > 0;
    this.#root.toggleAttribute("data-lm-suppress-shortcuts", hasSuspects);
  }

  /** Update the stage, or replace it. */
  #update(state: State, before: State): void {
    if (areOther(STAGED, state, before)) {
      const wasOnStage = this.#stageBox.contains(this.#focused);
      this.#stage.destroy();
      this.#stage = this.#makeStage(state);
      this.dataStage?.form(this.#positions);
      // A new stage has no point under the pointer, and has its own focus.
      const disc = state.disc && (this.#bendable?.usualDisc() ?? state.disc);
      this.#context.store.set({ hover: null, disc });
      if (wasOnStage) {
        focusOn(this.#stageBox.querySelector(".ls-stage > .ls-svg-stage, .ls-data"));
      }
    } else {
      this.#stage.update(state, before);
    }
  }

  get #focused(): Element | null {
    return this.#root.ownerDocument.activeElement;
  }

  /** The stage, if it shows a single picture. */
  get #bendable(): Stage | null {
    return this.#stage instanceof TogetherStage ? null : this.#stage;
  }

  goTo(points: Uint32Array): void {
    this.dataStage?.goTo(points);
  }

  goHome(): void {
    this.#bendable?.goHome();
  }

  /** Save the picture; `bare`: without title, lights and notes. */
  save(kind: "png" | "svg", bare: boolean): void {
    save(kind, this, this.#context, bare).catch((error) => this.tell(notSaved(error)));
  }

  toggleDisc(): void {
    const { store } = this.#context;
    const disc = store.state.disc ? null : (this.#bendable?.usualDisc() ?? null);
    store.set({ disc });
  }

  #makeStage(state: State): Stage | TogetherStage {
    const { scene } = this.#context;
    const level = levelsOf(scene).includes(state.level) ? state.level : "data";
    const el = html("div.ls-stage", { "data-level": level, tabindex: -1 });
    this.#root.dataset.level = level;
    this.#stageBox.replaceChildren(el, this.#forming);
    const shown = shownOf(scene, { ...state, level });
    if (shown === "maps" && scene.comparison) {
      return new TogetherStage(el, this.#context, scene.comparison);
    }
    const centers = scene.model?.compressed;
    return shown === "centers" && centers
      ? new CompressedStage(el, this.#context, mergedCenters(centers, state.centers))
      : new STAGES[level](el, this.#context);
  }

  #fillSide(side: HTMLElement): void {
    const { model, features } = this.#context.scene;
    const compares = model !== null || features.length > 0;
    const tabs = TABS.filter(([tab]) => compares || tab !== "prototypes");
    const list = html("div.ls-tabs", {
      role: "tablist",
      onkeydown: (event) => this.#onTabKey(event as KeyboardEvent),
    });
    side.append(list);
    for (const [tab, name, PanelClass] of tabs) {
      // Without a model, there are only points whose features can be compared.
      const words = tab === "prototypes" && model === null ? "Features" : name;
      const id = `ls-${tab}-${++pages}`;
      const page = html("div.ls-page", {
        role: "tabpanel",
        id,
        "data-page": tab,
        "aria-label": words,
        hidden: tab !== this.#context.store.state.tab,
      });
      const opener = button(words, () => this.#context.store.set({ tab }), {
        role: "tab",
        class: "ls-tab",
        "aria-controls": id,
        "data-tab": tab,
      });
      list.append(opener);
      side.append(page);
      this.#tabs.set(tab, { button: opener, page });
      this.#panels.push(new PanelClass(page, this.#context));
    }
    this.#showTab();
  }

  #showTab(): void {
    const wanted = this.#context.store.state.tab;
    const shown = this.#tabs.get(wanted) ?? this.#tabs.get("summary");
    for (const tab of this.#tabs.values()) {
      const isShown = tab === shown;
      const hadFocus = !isShown && tab.page.contains(this.#focused);
      tab.button.setAttribute("aria-selected", String(isShown));
      tab.button.tabIndex = isShown ? 0 : -1;
      tab.page.hidden = !isShown;
      if (hadFocus) {
        focusOn(shown?.button ?? null);
      }
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

/** Move the focus from a removed element, so that the page still receives keys. */
function focusOn(el: HTMLElement | null): void {
  el?.focus({ preventScroll: true });
}

let pages = 0;
