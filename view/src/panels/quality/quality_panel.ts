/** How far to believe the shown map: the verdict in words, then the numbers. */

import { bestKept, rankCurve, trustCurves } from "../../charts/curve";
import { shepardDiagram } from "../../charts/shepard";
import type { Context, Panel } from "../../context";
import { isHatched } from "../../regions/regions";
import { copyText } from "../../save/clipboard";
import type {
  ComparisonTable,
  Curve,
  Quality,
  Regions,
  Scene,
  SceneMap,
} from "../../scene/scene";
import { number, percent } from "../../scene/words/format";
import type { State } from "../../state";
import { button } from "../../ui/button";
import { type Child, html } from "../../ui/elements";
import { note, section, table } from "../parts";
import { confusionTable } from "../summary/confusion_table";
import { TabPage } from "../tab_page";
import { openersOf, shortTable } from "./comparison";
import { honestySections } from "./honesty_section";
import { islandsSection } from "./islands_section";

/** Longer words than a table in a terminal has room for. */
const MEANINGS: Readonly<Record<string, string>> = {
  auc_log_rnx:
    "part of all neighbours, near and far, that the map keeps; 1 = all, 0 = chance",
};

export class QualityPanel implements Panel {
  readonly #page: TabPage;
  /** Then a page shows which of its rows are chosen. */
  readonly #hasChoices: boolean;

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    this.#hasChoices =
      scene.held_out !== null ||
      scene.maps.some(({ islands }) => islands?.islands.length);
    this.#page = new TabPage(el, store.state, ({ map }, width) => [
      scene.comparison ? compared(context, scene.comparison, map) : null,
      ...mapPage(context, scene.maps[map], width),
      scene.methods && map === 0 ? methodsSection(scene.methods) : null,
    ]);
    this.#page.update(store.state, true);
  }

  update(state: State, before: State): void {
    const isChosen = this.#hasChoices && state.selection !== before.selection;
    this.#page.update(state, isChosen || state.map !== before.map);
  }

  destroy(): void {
    this.#page.destroy();
  }
}

/** The other maps to go to, in brief; all of the table stands where all maps do. */
function compared(context: Context, all: ComparisonTable, map: number): HTMLElement {
  const { scene, store } = context;
  const together = () => store.set({ together: true });
  return html(
    "div",
    {},
    shortTable(all, scene.maps[map].name, openersOf(context)),
    button("All maps side by side", together, { key: "together" }),
  );
}

function mapPage(context: Context, map: SceneMap, width: number): Child[] {
  const { scene } = context;
  const { honesty, islands, quality, regions } = map;
  return [
    html("h2", {}, map.name),
    map.words ? note(map.words) : null,
    ...honestySections(scene, honesty, width),
    heldOutSection(context, map),
    islands == null ? null : islandsSection(context, islands),
    quality == null
      ? note("What this map keeps of neighbours and distances was not measured.")
      : null,
    ...(quality == null ? [] : qualitySections(quality, width)),
    ...(regions == null ? [] : [regionSection(scene, regions)]),
  ];
}

/** Class and prediction of the rows that were held out, where a model predicts them. */
function heldOutSection(context: Context, { honesty }: SceneMap): HTMLElement | null {
  const { labels, predictions, held_out } = context.scene;
  if (labels === null || predictions === null || held_out === null) {
    return null;
  }
  const found = confusionTable(context, { taken_for: predictions }, held_out);
  return (
    found &&
    section(
      "Held-out rows, by class and prediction",
      found,
      note(
        "A line for each class, a column for each prediction." +
          (honesty?.real === "untested"
            ? " The model may have been trained on these rows."
            : ""),
      ),
    )
  );
}

/** How the map was made, to copy. */
function methodsSection(words: string): HTMLElement {
  const copy = button("Copy", () => copied(), { key: "methods" });
  const copied = async () => {
    await copyText(words);
    copy.textContent = "Copied";
  };
  return section("How it was made, for a paper", note(words), copy);
}

function qualitySections(quality: Quality, width: number): HTMLElement[] {
  const { rows, curve, shepard } = quality;
  const hasOriginal = rows.some((row) => row.original !== null);
  const measures = section(
    "What the map keeps",
    table(
      "Measures of quality",
      [
        { words: "Measure" },
        { words: "map", numeric: true },
        ...(hasOriginal ? [{ words: "data", numeric: true }] : []),
      ],
      rows.map((row) => [
        { words: measure(row.label, MEANINGS[row.name] ?? row.meaning) },
        {
          words: digits(row.value),
          numeric: true,
          attributes: { "data-measure": row.name, "data-value": row.value ?? "" },
        },
        ...(hasOriginal
          ? [
              {
                words: row.original === null ? "" : digits(row.original),
                numeric: true,
              },
            ]
          : []),
      ]),
    ),
    quality.note ? note(quality.note) : null,
  );
  return [
    measures,
    ...(curve === null
      ? []
      : [
          section(
            "Neighbourhoods of all sizes",
            rankCurve(curve, width),
            note(
              "For each size from one neighbour to nearly all points: the part of the " +
                "neighbours in the data that are neighbours here too. 1 is all of " +
                "them, 0 is as many as by chance. " +
                (bestKept(curve) ?? ""),
            ),
            ...trustParts(curve, width),
          ),
        ]),
    ...(shepard === null
      ? []
      : [
          section(
            "Distances of pairs",
            shepardDiagram(shepard, width),
            note("On the line, a map would keep all distances in proportion."),
          ),
        ]),
  ];
}

/** Trustworthiness and continuity, where the scene has them. */
function trustParts(curve: Curve, width: number): Child[] {
  const chart = trustCurves(curve, width);
  return chart === null
    ? []
    : [
        chart,
        note(
          "Trustworthiness (line): how few neighbours on the map are strangers in the " +
            "data. Continuity (dashes): how few neighbours in the data are torn apart.",
        ),
      ];
}

/** Three digits after the point, so that a column can be read downwards. */
function digits(value: number | null): string {
  return value === null
    ? "–"
    : Math.abs(value) < 100
      ? value.toFixed(3)
      : number(value);
}

function measure(label: string, meaning: string): HTMLElement {
  return html("span", {}, label, html("span", { class: "ls-meaning" }, meaning));
}

function regionSection({ held_out }: Scene, regions: Regions): HTMLElement {
  const { accuracy, agreement, share_far } = regions;
  // Where some points are held out, a light says it for these.
  const isTold = agreement === null || held_out !== null;
  return section(
    "The regions",
    regions.words ? note(regions.words) : null,
    accuracy == null ? null : note(`Right for ${percent(accuracy)} of held-out rows.`),
    isTold
      ? null
      : note(
          `${percent(agreement)} of the points lie in the region of their prediction.`,
        ),
    note(
      `${percent(share_far)} of the picture is far from all data: ` +
        `its class there is a guess, and is drawn ${isHatched(regions) ? "pale and hatched" : "pale"}.`,
    ),
  );
}
