/** The Summary, which is open at first: answers to the first questions about the data. */

import type { Context } from "../../context";
import { MEASURED, SUMMARY } from "../../messages";
import { decided } from "../../scene/decisions";
import type { Audit, Light, NewRows, SceneMap, TableFinding } from "../../scene/scene";
import type { State } from "../../state";
import { button, type Child, html } from "../../ui/elements";
import { lightMark, lightParts, lightsOf } from "../../ui/lights";
import { note, section, TabPage } from "../parts";
import { decisionButtons } from "../relabel";
import { ClassesSection } from "./classes_section";
import { coloringBy, howMeasured, line, lines } from "./lines";
import { SuspectsSection } from "./suspects_section";

export class SummaryPanel extends TabPage {
  readonly #suspects = new SuspectsSection(this);
  readonly #classes = new ClassesSection(this);

  constructor(el: HTMLElement, context: Context) {
    super(el, context, ["map", "selection", "decisions", "colorBy"]);
    this.again();
    context.store.watch(["selection"], () => {
      // In a long list, the next suspect may be further down.
      const current = el.querySelector(".ls-suspect-details");
      current?.parentElement?.scrollIntoView({ block: "nearest" });
    });
  }

  protected draw(state: State): Child[] {
    const { audit, new_rows, maps } = this.context.scene;
    const map = maps[state.map];
    if (new_rows) {
      return [
        newRowsSection(this.context, new_rows),
        ...this.#lights(map),
        ...this.#classes.draw(state),
      ];
    }
    return [
      ...this.#lights(map),
      audit ? this.#suspects.draw(audit, state) : notChecked(this.context),
      ...this.#classes.draw(state),
      audit ? tableSection(this.context, audit) : null,
      this.#decided(state),
      section(map.name, note(map.words)),
    ];
  }

  /** Decisions, if no list of suspects shows them. */
  #decided(state: State): HTMLElement | null {
    const n = decided(state).size;
    return n === 0 || this.context.scene.audit?.suspects.length
      ? null
      : section(SUMMARY.decided(n), decisionButtons(this.context, state));
  }

  /** The lights of the map with all details, and the points that the map misplaces. */
  #lights({ honesty, judged_right, place_errors }: SceneMap): HTMLElement[] {
    const shares = judged_right?.data ?? new Float32Array();
    // When held out, these points are among another class in more than half of the tests.
    const misplaced = Uint32Array.from(shares.keys()).filter((i) => shares[i] < 0.5);
    const unreliable = place_errors?.misplaced.data ?? new Uint32Array();
    const lists = (
      [
        ["misplaced", misplaced, SUMMARY.misplaced],
        ["unreliable", unreliable, SUMMARY.unreliable],
      ] as const
    ).filter(([, points]) => points.length > 0);
    return lightsOf(honesty).map((light, k) =>
      section(
        light.question,
        lines(
          this.#light(light, k),
          ...(k === 0 ? lists : []).map(([key, points, words]) =>
            line(this.context, { key, words: words(points.length), points }),
          ),
        ),
        howMeasured(light.measured),
      ),
    );
  }

  #light(light: Light, k: number): HTMLElement {
    const { store } = this.context;
    // Without a test, there are no numbers to open.
    const isTested = light.state !== "none";
    return line(this.context, {
      key: `light:${k}`,
      mark: lightMark(light.state),
      words: lightParts(light),
      meaning: light.detail,
      act: isTested ? () => store.set({ tab: "quality" }) : undefined,
      title: isTested ? SUMMARY.openFigures : undefined,
    });
  }
}

function notChecked({ scene, audit }: Context): HTMLElement | null {
  const { labels, audit_note, comparison } = scene;
  if (comparison) {
    return null; // each map has its own audit
  }
  if (labels === null) {
    return section(SUMMARY.labels, note(SUMMARY.noClasses));
  }
  const check = audit
    ? button(SUMMARY.check, audit, { key: "audit", title: SUMMARY.newRun })
    : note(SUMMARY.howToCheck);
  return section(SUMMARY.labels, note(SUMMARY.notChecked(audit_note)), check);
}

function tableSection(context: Context, { findings }: Audit): HTMLElement {
  const items = findings.map((finding, k) => findingLine(context, finding, k));
  const nothing = {
    key: "findings",
    mark: lightMark("good"),
    words: SUMMARY.nothingOdd,
  };
  return section(
    SUMMARY.table,
    lines(...(items.length > 0 ? items : [line(context, nothing)])),
    howMeasured(MEASURED.table),
  );
}

/** A line that selects its rows; without rows, it colors the points by a column. */
function findingLine(context: Context, finding: TableFinding, k: number): HTMLElement {
  const { words, rows, subjects, code, remedy } = finding;
  const { features, columns } = context.scene;
  const column = [...columns, ...features].find(({ name }) => subjects.includes(name));
  const isColumn = rows.data.length === 0 && column !== undefined;
  const { fix } = context;
  const action = SUMMARY.fixes[remedy[0] ?? ""];
  return html(
    "div",
    line(context, {
      key: `finding:${k}`,
      mark: lightMark("fair"),
      words,
      points: rows.data,
      title: isColumn ? SUMMARY.colorBy(code, column.name) : code,
      ...(isColumn ? coloringBy(context, column.name) : {}),
    }),
    fix && action
      ? button(action, () => fix(remedy), {
          key: `fix:${k}`,
          class: "ls-button ls-fix",
          title: SUMMARY.newRun,
        })
      : null,
  );
}

/** A line that selects its rows; a line about a feature colors the points by the feature. */
function newRowsSection(context: Context, { name, lines: items }: NewRows) {
  const all = items.map(({ state, words, rows, feature }, k) =>
    line(context, {
      key: `new:${k}`,
      mark: state === "none" ? null : lightMark(state),
      words,
      points: rows.data,
      ...(feature ? coloringBy(context, feature) : {}),
    }),
  );
  return section(SUMMARY.newRows(name), lines(...all));
}
