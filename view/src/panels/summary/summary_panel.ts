/** What the data say and whether to believe it: the page that is open at first. */

import type { Context, Panel } from "../../context";
import { counted } from "../../scene/format";
import type {
  Audit,
  Honesty,
  Light,
  NewRows,
  NewRowsLine,
  SceneMap,
  TableFinding,
} from "../../scene/scene";
import { decided, type State } from "../../state";
import { button, type Child, html } from "../../ui/elements";
import { lightMark, lightsOf } from "../../ui/lights";
import { Media } from "../../ui/media";
import { note, section, TabPage } from "../parts";
import { decisionButtons } from "../relabel";
import { ClassesSection } from "./classes_section";
import { coloringBy, line, lines } from "./lines";
import { SuspectsSection } from "./suspects_section";

const ASK =
  "To ask, run “labelscape map DATA --audit”, or pass audit=labelscape.audit(X, y) to " +
  "explore.";
const NOT_ASKED =
  "Not asked: which labels seem to be wrong, which classes models mix up, and what " +
  "is odd about the table";
const NO_CLASSES = "The points have no classes, so nothing can be said of labels.";

export class SummaryPanel implements Panel {
  readonly #context: Context;
  readonly #media: Media;
  readonly #page: TabPage;
  readonly #suspects: SuspectsSection;
  readonly #classes: ClassesSection;

  constructor(el: HTMLElement, context: Context) {
    const { store, scene } = context;
    const again = () => this.#page.again();
    this.#context = context;
    this.#media = new Media(scene);
    this.#suspects = new SuspectsSection(context, this.#media, again);
    this.#classes = new ClassesSection(context, again);
    const names = ["map", "selection", "decisions", "colorBy"] as const;
    this.#page = new TabPage(el, store, names, (state) => this.#draw(state));
    store.watch(["selection"], () => {
      // In a long list the next one may lie below.
      const current = el.querySelector(".ls-suspect-details");
      current?.parentElement?.scrollIntoView({ block: "nearest" });
    });
  }

  destroy(): void {
    this.#page.destroy();
    this.#media.destroy();
  }

  #draw(state: State): Child[] {
    const { scene } = this.#context;
    const { audit, new_rows } = scene;
    if (new_rows) {
      return [
        newRowsSection(this.#context, new_rows),
        this.#believe(scene.maps[state.map]),
        ...this.#classes.draw(state),
      ];
    }
    return [
      this.#believe(scene.maps[state.map]),
      ...(audit ? this.#audited(audit, state) : [notAsked(this.#context)]),
      ...(audit ? [] : this.#classes.draw(state)),
      this.#decided(state),
    ];
  }

  /** Decisions where no list of suspects has them. */
  #decided(state: State): HTMLElement | null {
    const n = decided(state).size;
    return n === 0 || this.#context.scene.audit?.suspects.length
      ? null
      : section(
          `${counted(n, "label")} decided`,
          decisionButtons(this.#context, state),
        );
  }

  #audited(audit: Audit, state: State): Child[] {
    return [
      this.#suspects.draw(audit, state),
      ...this.#classes.draw(state),
      tableSection(this.#context, audit),
    ];
  }

  /** What the lights above the map say, in words; and whom the map gets wrong. */
  #believe({ honesty, judged_right }: SceneMap): HTMLElement {
    const { store } = this.#context;
    const lights = lightsOf(honesty);
    const isTested = lights.some(({ state }) => state !== "none");
    const wrong = misjudged(judged_right?.data ?? new Float32Array());
    const [lie, them] = wrong.length === 1 ? ["lies", "it"] : ["lie", "them"];
    return section(
      "Can you believe this map?",
      lines(
        line(this.#context, {
          key: "lights",
          mark: html(
            "span",
            { class: "ls-marks-of" },
            ...lights.map(({ state }) => lightMark(state)),
          ),
          words: html("strong", {}, isTested ? findingOf(honesty) : "Not tested"),
          meaning: reasonOf(honesty, lights),
          // Where nothing was measured, there are no figures to open.
          act: isTested ? () => store.set({ tab: "quality" }) : undefined,
          title: isTested ? "Opens the figures" : undefined,
        }),
        wrong.length > 0
          ? line(this.#context, {
              key: "misjudged",
              words: `${counted(wrong.length, "point")} ${lie} in another class on maps that have not seen ${them}`,
              points: wrong,
            })
          : null,
      ),
    );
  }
}

function findingOf(honesty: Honesty | null | undefined): string {
  return honesty?.finding || honesty?.verdict || "";
}

/** The figures in a sentence, or as the lights have them. */
function reasonOf(
  honesty: Honesty | null | undefined,
  lights: readonly Light[],
): string {
  const figures = lights.map(({ figure }) => figure).filter(Boolean);
  const words = honesty?.reason || figures.join("; ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Points that the map puts to another class more often than not, when unseen. */
function misjudged(shares: Float32Array): Uint32Array {
  return Uint32Array.from(shares, (_, i) => i).filter((i) => shares[i] < 0.5);
}

function notAsked({ scene, audit }: Context): HTMLElement | null {
  const { labels, audit_note, comparison } = scene;
  if (comparison) {
    return null; // each map has an audit of its own
  }
  if (labels === null) {
    return section("Labels", note(NO_CLASSES));
  }
  const ask = audit
    ? button("Look for wrong labels", audit, {
        key: "audit",
        title: "Starts another run, with an audit",
      })
    : note(ASK);
  const why = audit_note ? ` (${audit_note})` : "";
  return section("Labels and table", note(`${NOT_ASKED}${why}.`), ask);
}

// What is odd about the table, one line for each finding.

/** What the options that mend a table do. */
const MENDS: Readonly<Record<string, string>> = {
  drop: "Leave out",
  missing_values: "Count as missing",
  copies: "Keep the first of each",
  merge_classes: "Make them one",
  group: "Keep them together",
};

function tableSection(context: Context, { findings }: Audit): HTMLElement {
  const items = findings.map((finding, k) => findingLine(context, finding, k));
  const nothing = {
    key: "findings",
    mark: lightMark("good"),
    words: "Nothing odd was found.",
  };
  return section(
    "The table",
    lines(...(items.length > 0 ? items : [line(context, nothing)])),
  );
}

/** Chooses its rows; one about a column alone colours the points by it. */
function findingLine(context: Context, finding: TableFinding, k: number): HTMLElement {
  const { words, rows, subjects, code } = finding;
  const { features, columns } = context.scene;
  const column = [...columns, ...features].find(({ name }) => subjects.includes(name));
  const isColumn = rows.data.length === 0 && column !== undefined;
  const shown = line(context, {
    key: `finding:${k}`,
    mark: lightMark("fair"),
    words,
    points: rows.data,
    title: isColumn ? `${code}: colours the points by ${column.name}` : code,
    ...(isColumn ? coloringBy(context, column.name) : {}),
  });
  return html("div", {}, shown, mendButton(context, finding, k));
}

/** Does what a finding proposes, where the host can. */
function mendButton(
  { mend }: Context,
  { remedy }: TableFinding,
  k: number,
): HTMLElement | null {
  const words = MENDS[remedy[0] ?? ""];
  return mend && words
    ? button(words, () => mend(remedy), {
        key: `mend:${k}`,
        class: "ls-button ls-mend",
        title: "Starts another run of the table",
      })
    : null;
}

// What is known of rows that were placed on a map, one line for each thing.

function newRowsSection(context: Context, { name, lines: items }: NewRows) {
  return section(
    `New rows: ${name}`,
    lines(...items.map((item, k) => newRowsLine(context, item, k))),
  );
}

/** Chooses its rows; one about a feature colours the points by it. */
function newRowsLine(context: Context, item: NewRowsLine, k: number): HTMLElement {
  const { state, words, rows, feature } = item;
  return line(context, {
    key: `new:${k}`,
    mark: state === "none" ? null : lightMark(state),
    words,
    points: rows.data,
    ...(feature ? coloringBy(context, feature) : {}),
  });
}
