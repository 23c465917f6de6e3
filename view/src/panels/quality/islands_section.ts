/** The islands of a map, one line each: whether it is stable, and what it holds. */

import type { Context } from "../../context";
import type { Islands, SceneIsland } from "../../scene/scene";
import { counted } from "../../scene/words/format";
import { isSelection, toggleSelection } from "../../state";
import { button } from "../../ui/button";
import { html } from "../../ui/elements";
import { lightMark } from "../../ui/lights";
import { note, section } from "../parts";

/** Islands as buttons that choose their points on the map; once more, none. */
export function islandsSection({ store }: Context, islands: Islands): HTMLElement {
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
