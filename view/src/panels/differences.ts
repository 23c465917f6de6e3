/** The features that set the chosen points apart from the rest, in words and bars. */

import { type Contrast, contrast, type Difference } from "../contrast";
import { html } from "../elements";
import { number } from "../format";
import type { Scene } from "../scene";
import { note, section } from "./parts";

const FEATURES_SHOWN = 8;

/** Null where the scene has no features. */
export function differenceSection(
  scene: Scene,
  selection: Uint32Array,
): HTMLElement | null {
  if (scene.features.length === 0) {
    return null;
  }
  const title = "What sets them apart";
  if (selection.length === scene.n_points) {
    return section(
      title,
      note("All points are chosen: there is no rest to compare with."),
    );
  }
  const found = contrast(scene.features, scene.n_points, selection);
  const shown = found.differences.slice(0, FEATURES_SHOWN);
  if (shown.length === 0) {
    return section(title, note("No feature differs from the rest."));
  }
  return section(
    title,
    html(
      "ol",
      { class: "ls-differences" },
      ...shown.map((one) => differenceItem(scene, one, Math.abs(shown[0].size))),
    ),
    note(differenceNote(found)),
  );
}

function differenceItem(scene: Scene, one: Difference, largest: number): HTMLElement {
  const { name } = scene.features[one.feature];
  const way = one.size > 0 ? "higher" : "lower";
  const share = (50 * Math.abs(one.size)) / largest;
  const start = one.size > 0 ? 50 : 50 - share;
  return html(
    "li",
    { "data-feature": name, "data-value": one.size },
    html("span", { class: "ls-difference-name", title: name }, name),
    html(
      "span",
      { class: "ls-difference-bar", "aria-hidden": "true" },
      html("span", { style: `left: ${start}%; width: ${share}%` }),
    ),
    html(
      "span",
      { class: "ls-meaning" },
      `${number(one.chosen)} here, ${number(one.rest)} in the rest: ` +
        `${Math.abs(one.size).toFixed(1)} sd ${way}`,
    ),
  );
}

function differenceNote({ sampled }: Contrast): string {
  const words = "Means; differences in standard deviations (sd) of all points.";
  return sampled ? `${words} Estimated from a part of the points.` : words;
}
