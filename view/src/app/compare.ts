/** Runs side by side; points chosen in one are chosen in all of the same table. */

import { html } from "../elements";
import { HttpModel } from "../hosts/http_model";
import { render } from "../index";
import { api, type Run } from "./api";
import { type Page, waited } from "./page";

const LINKED = ["selection", "object", "color_by"] as const;

export class ComparePage implements Page {
  readonly #stops: (() => void)[] = [];
  #isGone = false;

  constructor(el: HTMLElement, ids: readonly string[]) {
    const stages = html("div", { class: "ls-app-side-by-side" });
    const words = html("p", { class: "ls-app-status" });
    el.append(html("h1", {}, "Side by side"), words, stages);
    void waited(stages, async () => {
      const runs = await Promise.all(ids.map((id) => api.run(id)));
      const isOneTable = new Set(runs.map((run) => run.table)).size === 1;
      words.textContent = isOneTable
        ? "Points that you choose in one map are chosen in all."
        : "These runs are of different tables, so their points are not linked.";
      const models = await Promise.all(runs.map((run) => this.#open(run, stages)));
      if (isOneTable) {
        link(models);
      }
    });
  }

  destroy(): void {
    this.#isGone = true;
    for (const stop of this.#stops) {
      stop();
    }
  }

  async #open(run: Run, stages: HTMLElement): Promise<HttpModel> {
    const stage = html("div", { class: "ls-app-stage" });
    const verdict = run.result.verdict ?? "";
    stages.append(
      html("section", {}, html("h2", {}, run.name), html("p", {}, verdict), stage),
    );
    const scene = await api.bytes(`runs/${run.id}/files/scene`);
    const model = new HttpModel({ scene: new DataView(scene), height: 560 }, (object) =>
      api.explain(run.id, object),
    );
    if (!this.#isGone) {
      this.#stops.push(render({ model, el: stage }));
    }
    return model;
  }
}

/** Pass on what is chosen in one model to all others. */
export function link(models: readonly HttpModel[]): void {
  for (const model of models) {
    for (const name of LINKED) {
      model.on(`change:${name}`, () => {
        for (const other of models) {
          // Equal values tell nobody, so this comes to rest.
          other.set(name, model.get(name));
        }
      });
    }
  }
}
