/** How far to believe the shown map: the verdict in words, then the numbers. */

import { type BarGroup, bars } from "../charts/bars";
import {
  bestKept,
  rankCurve,
  shepardDiagram,
  trustCurves,
} from "../charts/quality_charts";
import type { Context, Panel } from "../context";
import { isHatched } from "../regions/regions";
import { copyText } from "../save/out";
import { counted, number, percent } from "../scene/format";
import { classTitle } from "../scene/names";
import type {
  ComparisonTable,
  Curve,
  Honesty,
  HonestyRow,
  Islands,
  MixedPair,
  Quality,
  Regions,
  Scene,
  SceneIsland,
  SceneMap,
} from "../scene/scene";
import { isSelection, toggleSelection } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { lightList, lightMark, lightsOf } from "../ui/lights";
import { openersOf, shortTable } from "./comparison_table";
import { namedClass, note, section, TabPage, table } from "./parts";
import { confusionTable } from "./summary/classes_section";

/** Longer words than a table in a terminal has room for. */
const MEANINGS: Readonly<Record<string, string>> = {
  auc_log_rnx:
    "part of all neighbours, near and far, that the map keeps; 1 = all, 0 = chance",
};

export class QualityPanel implements Panel {
  readonly #page: TabPage;

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    // Then a page shows which of its rows are chosen.
    const hasChoices =
      scene.held_out !== null ||
      scene.maps.some(({ islands }) => islands?.islands.length);
    const names = ["map", ...(hasChoices ? (["selection"] as const) : [])] as const;
    this.#page = new TabPage(el, store, names, ({ map }, width) => [
      scene.comparison ? compared(context, scene.comparison, map) : null,
      ...mapPage(context, scene.maps[map], width),
      scene.methods && map === 0 ? methodsSection(scene.methods) : null,
    ]);
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
    islands && islandsSection(context, islands),
    ...(quality
      ? qualitySections(quality, width)
      : [note("What this map keeps of neighbours and distances was not measured.")]),
    regions && regionSection(scene, regions),
  ];
}

/** Class and prediction of the rows that were held out, where a model predicts them. */
function heldOutSection(context: Context, { honesty }: SceneMap): HTMLElement | null {
  const { labels, predictions, held_out } = context.scene;
  if (labels === null || predictions === null || held_out === null) {
    return null;
  }
  const shown = confusionTable(context, { taken_for: predictions }, held_out);
  return (
    shown &&
    section(
      "Held-out rows, by class and prediction",
      shown,
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

function qualitySections(quality: Quality, width: number): Child[] {
  const { rows, curve, shepard } = quality;
  const hasOriginal = rows.some((row) => row.original !== null);
  const measures = section(
    "What the map keeps",
    table(
      "Measures of quality",
      ["Measure", "map", ...(hasOriginal ? ["data"] : [])],
      rows.map((row) => [
        measure(row.label, MEANINGS[row.name] ?? row.meaning),
        figure(digits(row.value), {
          attributes: { "data-measure": row.name, "data-value": row.value },
        }),
        ...(hasOriginal
          ? [figure(row.original === null ? "" : digits(row.original))]
          : []),
      ]),
    ),
    quality.note ? note(quality.note) : null,
  );
  return [
    measures,
    curve &&
      section(
        "Neighbourhoods of all sizes",
        rankCurve(curve, width),
        note(
          "For each size from one neighbour to nearly all points: the part of the " +
            "neighbours in the data that are neighbours here too. 1 is all of them, " +
            `0 is as many as by chance. ${bestKept(curve) ?? ""}`,
        ),
        ...trustParts(curve, width),
      ),
    shepard &&
      section(
        "Distances of pairs",
        shepardDiagram(shepard, width),
        note("On the line, a map would keep all distances in proportion."),
      ),
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

// The certificate of a map: lights, numbers, what to know, and which classes it is
// about.

/** Of more classes, those judged worst. */
const MOST_CLASSES = 20;

const ABOVE_CHANCE = [{ name: "above chance", color: "var(--ls-accent)" }];

/** How far to believe a map, in full. */
function honestySections(
  scene: Scene,
  honesty: Honesty | null | undefined,
  width: number,
): Child[] {
  const rows = honesty?.rows ?? [];
  const pairs = honesty?.pairs ?? [];
  const groups = byClass(scene, honesty?.by_class ?? []);
  return [
    section(
      "How far to believe it",
      html("div", { class: "ls-believe" }, lightList(lightsOf(honesty))),
      honesty?.lights?.length ? note(honesty.verdict) : null,
      rows.length > 0 ? numbers(rows, honesty?.k ?? null) : null,
      ...(honesty?.notes ?? []).map(note),
    ),
    groups.length > 0 ? classSection(groups, width) : null,
    pairs.length > 0 ? pairSection(scene, pairs) : null,
  ];
}

function numbers(rows: readonly HonestyRow[], k: number | null): HTMLElement {
  return table(
    "Accuracy of nearest neighbours",
    [
      k === null ? "Accuracy" : `Accuracy of ${k} nearest neighbours`,
      "share",
      "95 %",
      "shuffled",
    ],
    rows.map((row) => [
      row.label,
      figure(percent(row.value), {
        attributes: { "data-measure": row.name, "data-value": row.value },
      }),
      figure(interval(row)),
      figure(row.shuffled === null ? "" : percent(row.shuffled)),
    ]),
  );
}

function interval({ low, high }: HonestyRow): string {
  return low === null || high === null
    ? ""
    : `${Math.round(100 * low)} – ${Math.round(100 * high)} %`;
}

/** How much of each judged class is judged right, the worst first. */
function byClass(scene: Scene, above: readonly (number | null)[]): BarGroup[] {
  return above
    .flatMap((value, index) => (value === null ? [] : [{ value, index }]))
    .sort((a, b) => a.value - b.value)
    .map(({ value, index }) => ({
      name: classTitle(scene, index),
      values: [value],
      words: [percent(value)],
    }));
}

function classSection(groups: readonly BarGroup[], width: number): HTMLElement {
  const shown = groups.slice(0, MOST_CLASSES);
  const low = Math.min(0, ...shown.map(({ values }) => values[0]));
  return section(
    "Class by class",
    bars(
      shown,
      ABOVE_CHANCE,
      width,
      "Points classified correctly when held out, by class",
      {
        low,
        high: 1,
      },
    ),
    note(
      "Points of each class that neighbors classify correctly when held out: 0 is " +
        "chance, 100 % is all of them." +
        (shown.length < groups.length
          ? ` The ${MOST_CLASSES} worst of ${groups.length} classes.`
          : ""),
    ),
  );
}

function pairSection(scene: Scene, pairs: readonly MixedPair[]): HTMLElement {
  return section(
    "Mixed up most",
    table(
      "Classes mixed up most",
      ["Class", "and", "share"],
      pairs.map(({ a, b, share }) => [
        namedClass(scene, a),
        namedClass(scene, b),
        figure(percent(share)),
      ]),
    ),
    note("The share of their held-out points that the map shows as the other class."),
  );
}

// The islands of a map, one line each: whether it is stable, and what it holds.

/** Islands as buttons that choose their points on the map; once more, none. */
function islandsSection({ store }: Context, islands: Islands): HTMLElement {
  const line = (island: SceneIsland, k: number) => {
    const points = island.members.data;
    const choose = () => toggleSelection(store, points.slice());
    return html(
      "li",
      {},
      button(words(island), choose, {
        key: `island:${k}`,
        class: "ls-island",
        "data-island": k,
        "data-stability": island.stability,
        "aria-pressed": String(isSelection(store.state, points)),
        title: island.words,
      }),
    );
  };
  return section(
    "Islands",
    html("ol", { class: "ls-islands" }, ...islands.islands.map(line)),
    ...islands.words.map(note),
  );
}

function words({ state, answer, holds, stability, members }: SceneIsland) {
  return [
    lightMark(state),
    html(
      "span",
      {},
      html("strong", {}, answer),
      ` (${stability.toFixed(2).replace(/^0/, "")}) · ${counted(members.data.length, "point")}`,
      html("span", { class: "ls-meaning", dir: "auto" }, holds),
    ),
  ];
}
