/** The columns that set the chosen points apart from the rest, in words and bars. */

import { asCategories, categoryTitle, fieldsOf } from "../../scene/fields";
import type { Feature, Scene } from "../../scene/scene";
import { percent } from "../../scene/words/format";
import { inWords, toldApart } from "../../scene/words/names";
import { written } from "../../scene/words/values";
import { html } from "../../ui/elements";
import { note, section } from "../parts";
import {
  type FieldDifference,
  type FieldDifferences,
  fieldDifferences,
} from "./field_differences";

const FEATURES_SHOWN = 8;
/** Of a column. */
const SHARES_SHOWN = 3;
const LONGEST_NAME = 44;
/** In standard deviations: what is worth telling, and what fills the room of a bar. */
const LEAST = 0.2;
const MOST = 3;

/** Null where the scene has no columns. */
export function differenceSection(
  scene: Scene,
  selection: Uint32Array,
): HTMLElement | null {
  if (fieldsOf(scene).length === 0) {
    return null;
  }
  const one = selection.length === 1;
  const title = one ? "What sets it apart" : "What sets them apart";
  if (selection.length === scene.n_points) {
    return section(
      title,
      note("All points are chosen: there is no rest to compare with."),
    );
  }
  const found = fieldDifferences(scene, selection);
  return section(title, ...differenceList(found, { ...REST, one }));
}

/** What two parts of a comparison are called; `one` object has values, many have means. */
interface Sides {
  readonly here: string;
  readonly rest: string;
  readonly one: boolean;
}

const REST = { here: "here", rest: "in the rest" };

/** The columns that differ most, and how to read them. */
export function differenceList(found: FieldDifferences, sides: Sides): HTMLElement[] {
  const shown = found.differences
    .filter(({ size }) => Math.abs(size) >= LEAST)
    .slice(0, FEATURES_SHOWN);
  if (shown.length === 0) {
    const rest = sides.rest === REST.rest ? "from the rest " : "";
    return [note(`Nothing stands out: no feature differs ${rest}by ${LEAST} sd.`)];
  }
  const names = toldApart(
    shown.map(({ field }) => field.name),
    LONGEST_NAME,
  );
  return [
    html(
      "ol",
      { class: "ls-differences" },
      ...shown.map((difference, k) => differenceItem(difference, names[k], sides)),
    ),
    note(differenceNote(found, sides.one)),
  ];
}

function differenceItem(
  difference: FieldDifference,
  name: string,
  sides: Sides,
): HTMLElement {
  const { field, size, shares } = difference;
  const share = 50 * Math.min(1, Math.abs(size) / MOST);
  const start = size > 0 ? 50 : 50 - share;
  const meaning =
    shares.length > 0
      ? shareWords(difference, sides)
      : meanWords(difference, field.numbers, sides);
  return html(
    "li",
    { "data-feature": field.name, "data-value": size },
    html("span", { class: "ls-difference-name", title: field.name, dir: "auto" }, name),
    html(
      "span",
      { class: "ls-difference-bar", "aria-hidden": "true" },
      html("span", { style: `left: ${start}%; width: ${share}%` }),
    ),
    html("span", { class: "ls-meaning" }, meaning),
  );
}

function meanWords(
  { chosen, rest, size }: FieldDifference,
  numbers: Feature | null,
  { here, rest: others, one }: Sides,
): string {
  const feature = numbers ?? {};
  const way = size > 0 ? "higher" : "lower";
  const means = `${mean(feature, rest)} ${others}`;
  const own = one ? written(feature, chosen) : mean(feature, chosen);
  return (
    `${own} ${here}, ${one ? `on average ${means}` : means}: ` +
    `${Math.abs(size).toFixed(1)} sd ${way}`
  );
}

/** Shares of the categories that differ most. */
function shareWords(
  { field, size, shares }: FieldDifference,
  { here, rest: others, one }: Sides,
): string {
  const column = asCategories(field.column);
  if (column === null) {
    return "";
  }
  const title = (category: number) => inWords(categoryTitle(column, category));
  const own = shares.find(({ chosen }) => chosen === 1);
  if (one && own) {
    return `${title(own.category)} ${here}, as ${percent(own.rest)} ${others}`;
  }
  const way = size > 0 ? "more" : "less";
  const [first, ...more] = shares.slice(0, SHARES_SHOWN);
  return [
    `${title(first.category)}: ${percent(first.chosen)} ${here}, ` +
      `${percent(first.rest)} ${others} (${Math.abs(size).toFixed(1)} sd ${way})`,
    ...more.map(
      ({ category, chosen, rest }) =>
        `${title(category)}: ${percent(chosen)}, ${percent(rest)}`,
    ),
  ].join("; ");
}

/** The mean of truth values is how many are true. */
function mean(feature: Pick<Feature, "kind">, value: number): string {
  return feature.kind === "truth" ? percent(value) : written(feature, value);
}

function differenceNote({ sampled }: FieldDifferences, one: boolean): string {
  const words =
    `${one ? "Differences" : "Means; differences"} in standard deviations (sd) of all ` +
    `points. A bar to the end is ${MOST} sd or more.`;
  return sampled ? `${words} Estimated from a part of the points.` : words;
}
