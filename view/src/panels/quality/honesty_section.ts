/** The certificate of a map: lights, numbers, what to know, and which classes it is about. */

import { type BarGroup, bars } from "../../charts/bars";
import { lightsOf } from "../../scene/lights";
import type { Honesty, HonestyRow, MixedPair, Scene } from "../../scene/scene";
import { percent } from "../../scene/words/format";
import { classTitle } from "../../scene/words/names";
import { type Child, html } from "../../ui/elements";
import { lightList } from "../../ui/lights";
import type { Cell } from "../../ui/table";
import { classMark, note, section, table } from "../parts";

/** Of more classes, those judged worst. */
const MOST_CLASSES = 20;

const ABOVE_CHANCE = [{ name: "above chance", color: "var(--ls-accent)" }];

/** How far to believe a map, in full. */
export function honestySections(
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
  const head = ["share", "95 %", "shuffled"];
  return table(
    "Accuracy of nearest neighbours",
    [
      { words: k === null ? "Accuracy" : `Accuracy of ${k} nearest neighbours` },
      ...head.map((words) => ({ words, numeric: true })),
    ],
    rows.map((row) => [
      { words: row.label },
      {
        ...figure(row.value),
        attributes: { "data-measure": row.name, "data-value": row.value },
      },
      { words: interval(row), numeric: true },
      figure(row.shuffled),
    ]),
  );
}

function figure(value: number | null | undefined): Cell {
  return { words: value == null ? "" : percent(value), numeric: true };
}

function interval({ low, high }: HonestyRow): string {
  return low == null || high == null
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
    bars(shown, ABOVE_CHANCE, width, "Unseen objects judged right, by class", {
      low,
      high: 1,
    }),
    note(
      "Unseen objects of each class that neighbours on the map judge right: 0 is " +
        "chance, 100 % is all of them." +
        (shown.length < groups.length
          ? ` The ${MOST_CLASSES} worst of ${groups.length} classes.`
          : ""),
    ),
  );
}

function pairSection(scene: Scene, pairs: readonly MixedPair[]): HTMLElement {
  const named = (name: string) => {
    const index = scene.classes.indexOf(name);
    return { words: index < 0 ? name : classMark(scene, index) };
  };
  return section(
    "Mixed up most",
    table(
      "Classes mixed up most",
      [{ words: "Class" }, { words: "and" }, { words: "share", numeric: true }],
      pairs.map(({ a, b, share }) => [named(a), named(b), figure(share)]),
    ),
    note("The share of their unseen objects that the map shows as the other one."),
  );
}
