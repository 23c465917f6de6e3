/** The features that set the chosen points apart from the rest, in words and bars. */

import { percent } from "../scene/format";
import { toldApart } from "../scene/names";
import type { Feature, Scene } from "../scene/scene";
import { written } from "../scene/values";
import { html } from "../ui/elements";
import {
  type Difference,
  type FeatureDifferences,
  featureDifferences,
} from "./feature_differences";
import { note, section } from "./parts";

const FEATURES_SHOWN = 8;
const LONGEST_NAME = 44;
/** In standard deviations: what is worth telling, and what fills the room of a bar. */
const LEAST = 0.2;
const MOST = 3;

/** Null where the scene has no features. */
export function differenceSection(
  scene: Scene,
  selection: Uint32Array,
): HTMLElement | null {
  if (scene.features.length === 0) {
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
  const found = featureDifferences(scene.features, scene.n_points, selection);
  return section(title, ...differenceList(scene, found, { ...REST, one }));
}

/** What two parts of a comparison are called; `one` object has values, many have means. */
interface Sides {
  readonly here: string;
  readonly rest: string;
  readonly one: boolean;
}

const REST = { here: "here", rest: "in the rest" };

/** The features that differ most, and how to read them. */
export function differenceList(
  scene: Scene,
  found: FeatureDifferences,
  sides: Sides,
): HTMLElement[] {
  const shown = found.differences
    .filter(({ size }) => Math.abs(size) >= LEAST)
    .slice(0, FEATURES_SHOWN);
  if (shown.length === 0) {
    const rest = sides.rest === REST.rest ? "from the rest " : "";
    return [note(`Nothing stands out: no feature differs ${rest}by ${LEAST} sd.`)];
  }
  const names = toldApart(
    shown.map(({ feature }) => scene.features[feature].name),
    LONGEST_NAME,
  );
  return [
    html(
      "ol",
      { class: "ls-differences" },
      ...shown.map((difference, k) =>
        differenceItem(scene, difference, names[k], sides),
      ),
    ),
    note(differenceNote(found, sides.one)),
  ];
}

function differenceItem(
  scene: Scene,
  { feature: j, size, chosen, rest }: Difference,
  name: string,
  { here, rest: others, one }: Sides,
): HTMLElement {
  const feature = scene.features[j];
  const way = size > 0 ? "higher" : "lower";
  const share = 50 * Math.min(1, Math.abs(size) / MOST);
  const start = size > 0 ? 50 : 50 - share;
  const means = `${mean(feature, rest)} ${others}`;
  return html(
    "li",
    { "data-feature": feature.name, "data-value": size },
    html(
      "span",
      { class: "ls-difference-name", title: feature.name, dir: "auto" },
      name,
    ),
    html(
      "span",
      { class: "ls-difference-bar", "aria-hidden": "true" },
      html("span", { style: `left: ${start}%; width: ${share}%` }),
    ),
    html(
      "span",
      { class: "ls-meaning" },
      `${one ? written(feature, chosen) : mean(feature, chosen)} ${here}, ${one ? `on average ${means}` : means}: ` +
        `${Math.abs(size).toFixed(1)} sd ${way}`,
    ),
  );
}

/** The mean of truth values is how many are true. */
function mean(feature: Feature, value: number): string {
  return feature.kind === "truth" ? percent(value) : written(feature, value);
}

function differenceNote({ sampled }: FeatureDifferences, one: boolean): string {
  const words =
    `${one ? "Differences" : "Means; differences"} in standard deviations (sd) of all ` +
    `points. A bar to the end is ${MOST} sd or more.`;
  return sampled ? `${words} Estimated from a part of the points.` : words;
}
