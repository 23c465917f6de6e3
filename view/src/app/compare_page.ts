/** Runs side by side; points chosen in one are chosen in all of the same table. */

import type { Model, Traits } from "../hosts/model";
import { counted } from "../scene/format";
import { lightsOf } from "../scene/lights";
import { html } from "../ui/elements";
import { lightList } from "../ui/lights";
import { api, type Run } from "./api";
import { type Page, waited } from "./page_parts";
import { Stage } from "./stage";

const LINKED = ["selection", "object", "color_by", "theme"] as const;
const APART = ["theme"] as const;
// In a narrow view the panels stand below the map, so it needs to be higher.
const HEIGHT = 740;

export class ComparePage implements Page {
  readonly #stages: Stage[] = [];
  #isGone = false;

  constructor(el: HTMLElement, ids: readonly string[]) {
    const sections = html("div", { class: "ls-app-side-by-side" });
    const words = html("p", { class: "ls-app-status", role: "status" });
    el.append(html("h1", {}, "Side by side"), words, sections);
    void waited(sections, async () => {
      const runs = await Promise.all(ids.map((id) => api.run(id)));
      // Of new rows on a map no other run shows the same.
      const rows = runs.map((run) => (run.settings.placed_on ? run.id : run.table));
      const isOneTable = new Set(rows).size === 1;
      const models = await Promise.all(runs.map((run) => this.#open(run, sections)));
      if (this.#isGone) {
        return;
      }
      link(models, isOneTable ? LINKED : APART);
      const tell = () => {
        words.textContent = isOneTable
          ? linkedWords(models[0]?.get("selection"))
          : "These runs are of different tables, so their points are not linked.";
      };
      tell();
      models[0]?.on("change:selection", tell);
    });
  }

  destroy(): void {
    this.#isGone = true;
    for (const stage of this.#stages) {
      stage.clear();
    }
  }

  async #open(run: Run, sections: HTMLElement): Promise<Model> {
    const stage = new Stage(run.id, HEIGHT);
    this.#stages.push(stage);
    sections.append(
      html(
        "section",
        {},
        html(
          "h2",
          {},
          html(
            "a",
            { href: `#/run/${run.id}`, class: "ls-app-cut", title: run.name },
            run.name,
          ),
        ),
        lightList(lightsOf(run.result)),
        stage.el,
      ),
    );
    const model = stage.show(await api.bytes(`runs/${run.id}/files/scene`));
    if (this.#isGone) {
      stage.clear();
    }
    return model;
  }
}

function linkedWords(selection: DataView | undefined): string {
  const chosen = (selection?.byteLength ?? 0) / Uint32Array.BYTES_PER_ELEMENT;
  return chosen
    ? `${counted(chosen, "row is", "rows are")} chosen, in all maps.`
    : "Rows that you choose in one map are chosen in all.";
}

/** Pass on what is changed in one model to all others. */
export function link(
  models: readonly Model[],
  names: readonly (keyof Traits)[] = LINKED,
): void {
  for (const model of models) {
    for (const name of names) {
      model.on(`change:${name}`, () => {
        const value = model.get(name);
        for (const other of models) {
          if (value !== undefined) {
            other.set(name, value); // equal values tell nobody, so this comes to rest
          }
        }
      });
    }
  }
}
