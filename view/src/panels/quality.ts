/** How far to believe the shown map: the verdict in words, then the numbers. */

import { rankCurve } from "../charts/curve";
import { shepardDiagram } from "../charts/shepard";
import { type Child, html } from "../elements";
import { number, percent } from "../format";
import type { Context, Panel } from "../panel";
import type { Honesty, Quality, Regions, SceneMap } from "../scene";
import type { State } from "../state";
import { note, section, table } from "./parts";
import { TabPage } from "./tab_page";

const LEVELS = {
  real: "The separation is real",
  mixed: "The separation is partly real",
  made: "The separation is made by the map",
} as const;

export class QualityPanel implements Panel {
  readonly #page: TabPage;

  constructor(el: HTMLElement, { scene, store }: Context) {
    this.#page = new TabPage(el, store.state, (state, width) =>
      mapPage(scene.maps[state.map], width),
    );
    this.#page.update(store.state, true);
  }

  update(state: State, before: State): void {
    this.#page.update(state, state.map !== before.map);
  }

  destroy(): void {
    this.#page.destroy();
  }
}

function mapPage(map: SceneMap, width: number): Child[] {
  const { honesty, quality, regions } = map;
  const nothing = honesty === null && quality === null && regions === null;
  return [
    html("h2", {}, map.name),
    map.words ? note(map.words) : null,
    nothing ? note("The quality of this map was not measured.") : null,
    ...(honesty === null ? [] : [verdict(honesty)]),
    ...(quality === null ? [] : qualitySections(quality, width)),
    ...(regions === null ? [] : [regionSection(regions)]),
  ];
}

function verdict(honesty: Honesty): HTMLElement {
  const { level, k } = honesty;
  const rows = [
    ["On the map, points it was fitted to", honesty.seen, "seen"],
    ["On the map, points it has not seen", honesty.unseen, "unseen"],
    ["Gap: separation that new points lack", honesty.gap, "gap"],
    ["Gap with shuffled labels: made of nothing", honesty.null, "null"],
    ["In the data, the same unseen points", honesty.original, "original"],
  ] as const;
  return section(
    "Honesty",
    html(
      "div",
      { class: "ls-believe", role: "note", "data-honesty": level },
      // Shape and colour say the same, as below the map.
      html("span", {
        class: "ls-honesty",
        "data-honesty": level,
        "aria-hidden": "true",
      }),
      html("div", {}, html("strong", {}, LEVELS[level]), note(honesty.verdict)),
    ),
    table(
      "Accuracy of nearest neighbours",
      [
        { words: `Accuracy of ${k} nearest neighbours` },
        { words: "share", numeric: true },
      ],
      rows.map(([words, value, name]) => [
        { words },
        {
          words: percent(value),
          numeric: true,
          attributes: { "data-measure": name, "data-value": value },
        },
      ]),
    ),
    note(chance(honesty.p_value)),
  );
}

function chance(p: number): string {
  return Number.isFinite(p)
    ? `Shuffled labels do as well on unseen points with probability ${number(p)}.`
    : "";
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
        { words: measure(row.label, row.meaning) },
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
      : [section("Neighbourhoods of all sizes", rankCurve(curve, width))]),
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

function regionSection(regions: Regions): HTMLElement {
  const { agreement, share_far } = regions;
  return section(
    "The regions",
    regions.words ? note(regions.words) : null,
    agreement === null
      ? null
      : note(
          `For ${percent(agreement)} of the points the picture says what the model says.`,
        ),
    note(
      `${percent(share_far)} of the picture is far from all data: ` +
        "what the model says there is a guess, and is drawn hatched.",
    ),
  );
}
