/** The quality of the map: the verdict in words, then the numbers. */

import { type BarGroup, bars } from "../charts/bars";
import {
  bestKept,
  rankCurve,
  shepardDiagram,
  trustCurves,
} from "../charts/quality_charts";
import type { Context } from "../context";
import { copyText } from "../files/out";
import { counted, number, percent } from "../format";
import { MEASURED, QUALITY } from "../messages";
import { isHatched } from "../regions/regions";
import { classTitle } from "../scene/names";
import type {
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
import { isSelection, type State, toggleSelection } from "../state";
import { button, type Child, figure, html } from "../ui/elements";
import { lightList, lightMark, lightsOf } from "../ui/lights";
import { openersOf, shortTable } from "./comparison_table";
import { namedClass, note, section, TabPage, table } from "./parts";
import { confusionTable } from "./summary/classes_section";

export class QualityPanel extends TabPage {
  constructor(el: HTMLElement, context: Context) {
    const { held_out, maps } = context.scene;
    // With held-out points or islands, the page also shows which of them are selected.
    const isSelectable =
      held_out !== null || maps.some(({ islands }) => islands?.islands.length);
    super(el, context, isSelectable ? ["map", "selection"] : ["map"]);
    this.again();
  }

  protected draw({ map: index }: State, width: number): Child[] {
    const { scene, store } = this.context;
    const { comparison, methods } = scene;
    const map = scene.maps[index];
    const { honesty, islands, quality, regions } = map;
    const together = () => store.set({ together: true });
    return [
      // The full table is shown next to all maps.
      comparison && shortTable(comparison, map.name, openersOf(this.context)),
      comparison && button(QUALITY.allMaps, together, { key: "together" }),
      html("h2", map.name),
      map.words ? note(map.words) : null,
      ...honestySections(scene, honesty, width),
      heldOutSection(this.context, map),
      islands && islandsSection(this.context, islands),
      ...(quality ? qualitySections(quality, width) : [note(QUALITY.notMeasured)]),
      regions && regionSection(scene, regions),
      methods && index === 0 ? methodsSection(methods) : null,
    ];
  }
}

/** Class and prediction of the held-out rows, if a model predicts them. */
function heldOutSection(context: Context, { honesty }: SceneMap): HTMLElement | null {
  const { labels, predictions, held_out } = context.scene;
  if (labels === null || predictions === null || held_out === null) {
    return null;
  }
  const shown = confusionTable(context, { taken_for: predictions }, held_out);
  return (
    shown &&
    section(QUALITY.heldOut, shown, note(QUALITY.matrix(honesty?.real === "untested")))
  );
}

/** The description of the method, with a button to copy it. */
function methodsSection(words: string): HTMLElement {
  const copy = button("Copy", () => copied(), { key: "methods" });
  const copied = async () => {
    await copyText(words);
    copy.textContent = "Copied";
  };
  return section(QUALITY.methods, note(words), copy);
}

function qualitySections(quality: Quality, width: number): Child[] {
  const { rows, curve, shepard } = quality;
  // Trustworthiness and continuity, if the scene has them.
  const trust = curve && trustCurves(curve, width);
  const hasOriginal = rows.some((row) => row.original !== null);
  const measures = section(
    QUALITY.preserves,
    table(
      QUALITY.measures,
      ["Measure", "map", ...(hasOriginal ? ["data"] : [])],
      rows.map((row) => [
        measure(row.label, QUALITY.meanings[row.name] ?? row.meaning),
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
        QUALITY.neighborhoods,
        rankCurve(curve, width),
        note(QUALITY.curve(bestKept(curve) ?? "")),
        ...(trust ? [trust, note(QUALITY.trust)] : []),
      ),
    shepard &&
      section(QUALITY.pairs, shepardDiagram(shepard, width), note(QUALITY.onLine)),
  ];
}

/** Three decimals, so that the numbers in a column are aligned. */
function digits(value: number | null): string {
  return value === null
    ? "–"
    : Math.abs(value) < 100
      ? value.toFixed(3)
      : number(value);
}

function measure(label: string, meaning: string): HTMLElement {
  return html("span", label, html("span.ls-meaning", meaning));
}

function regionSection({ held_out }: Scene, regions: Regions): HTMLElement {
  const { accuracy, agreement, share_far } = regions;
  return section(
    QUALITY.regions,
    regions.words ? note(regions.words) : null,
    accuracy == null ? null : note(QUALITY.right(accuracy)),
    // If there are held-out points, a light shows the agreement for them.
    agreement === null || held_out !== null ? null : note(QUALITY.agree(agreement)),
    note(QUALITY.far(share_far, isHatched(regions))),
  );
}

// The certificate of a map: lights, numbers, warnings, and a chart of the classes.

/** If there are more classes, only the worst are shown. */
const MOST_CLASSES = 20;

const ABOVE_CHANCE = [{ name: "above chance", color: "var(--ls-accent)" }];

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
      QUALITY.tests,
      html("div.ls-believe", lightList(lightsOf(honesty))),
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
    QUALITY.accuracy(null),
    [QUALITY.accuracy(k), "share", "95%", "shuffled"],
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
  return low === null || high === null ? "" : QUALITY.interval(low, high);
}

/** The accuracy of each tested class above chance, the worst first. */
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
  const worst = groups.slice(0, MOST_CLASSES);
  const low = Math.min(0, ...worst.map(({ values }) => values[0]));
  return section(
    QUALITY.byClass,
    bars(worst, ABOVE_CHANCE, width, QUALITY.byClassChart, { low, high: 1 }),
    note(QUALITY.byClassNote(worst.length, groups.length)),
  );
}

function pairSection(scene: Scene, pairs: readonly MixedPair[]): HTMLElement {
  return section(
    QUALITY.confused,
    table(
      QUALITY.confused,
      ["Class", "and", "share"],
      pairs.map(({ a, b, share }) => [
        namedClass(scene, a),
        namedClass(scene, b),
        figure(percent(share)),
      ]),
    ),
    note(MEASURED.confusedOnMap),
  );
}

// The islands of a map, one line each: stability and content.

/** Buttons that select the points of an island on the map; a second click clears them. */
function islandsSection({ store }: Context, islands: Islands): HTMLElement {
  const line = (island: SceneIsland, k: number) => {
    const points = island.members.data;
    const choose = () => toggleSelection(store, points.slice());
    return html(
      "li",
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
    QUALITY.islands,
    html("ol.ls-islands", ...islands.islands.map(line)),
    ...islands.words.map(note),
  );
}

function words({ state, answer, holds, stability, members }: SceneIsland) {
  return [
    lightMark(state),
    html(
      "span",
      html("strong", answer),
      ` (${stability.toFixed(2).replace(/^0/, "")}) · ${counted(members.data.length, "point")}`,
      html("span.ls-meaning", { dir: "auto" }, holds),
    ),
  ];
}
