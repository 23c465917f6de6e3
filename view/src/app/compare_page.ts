/** Runs side by side; what is pointed at or chosen in one is so in all of the same table. */

import type { Looking } from "../color/looks";
import type { Model, Traits } from "../hosts/model";
import { lightsOf } from "../scene/lights";
import { decodeScene } from "../scene/scene";
import { counted } from "../scene/words/format";
import type { Store } from "../state";
import { html } from "../ui/elements";
import { lightList } from "../ui/lights";
import { api, type Run } from "./api";
import { actionButton, grid, type Page, waited } from "./page_parts";
import { accuracyWords, advice, lightCells, timeWords } from "./run_figures";
import { Stage } from "./stage";

const LINKED = ["selection", "object", "color_by", "theme"] as const;
const APART = ["theme"] as const;
// In a narrow view the panels stand below the map, so it needs to be higher.
const HEIGHT = 740;
const RIGHT = "New objects right";

export class ComparePage implements Page {
  readonly #stages: Stage[] = [];
  #isGone = false;

  constructor(el: HTMLElement, ids: readonly string[]) {
    const sections = html("div", { class: "ls-app-side-by-side" });
    const words = html("p", { class: "ls-app-status", role: "status" });
    const first = html("div", { class: "ls-app-figures" });
    el.append(html("h1", {}, "Side by side"), first, words, sections);
    void waited(sections, async () => {
      const runs = await Promise.all(ids.map((id) => api.run(id)));
      // Of new rows on a map no other run shows the same.
      first.append(...figures(runs, sections));
      const rows = runs.map((run) => (run.settings.placed_on ? run.id : run.table));
      const isOneTable = new Set(rows).size === 1;
      const scenes = runs.map((run) => api.bytes(`runs/${run.id}/files/scene`));
      // In all of them, classes look as in the first.
      const like = scenes[0]?.then(decodeScene);
      const models = await Promise.all(
        runs.map((run, k) => this.#open(run, scenes[k], like, sections)),
      );
      if (this.#isGone) {
        return;
      }
      link(models, isOneTable ? LINKED : APART);
      // Other classes may leave out other rows.
      if (
        isOneTable &&
        new Set(runs.map(({ settings }) => settings.label)).size === 1
      ) {
        linkPointers(this.#stages.flatMap(({ store }) => store ?? []));
      }
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

  async #open(
    run: Run,
    scene: Promise<ArrayBuffer>,
    like: Promise<Looking>,
    sections: HTMLElement,
  ): Promise<Model> {
    const stage = new Stage(run.id, HEIGHT);
    this.#stages.push(stage);
    sections.append(
      html(
        "section",
        { "data-run": run.id },
        html(
          "h2",
          { tabindex: -1 },
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
    const model = stage.show(await scene, await like);
    if (this.#isGone) {
      stage.clear();
    }
    return model;
  }
}

/** Which run to look at first, and all of them in figures; a row leads to its map. */
function figures(runs: readonly Run[], sections: HTMLElement): HTMLElement[] {
  const { best, words } = advice(runs);
  const show = (id: string) => {
    const found = sections.querySelector(`[data-run="${CSS.escape(id)}"]`);
    found?.scrollIntoView({ block: "start" });
    found?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  };
  const names = ["Run", "Method", "Is it real?", "How much is kept?", RIGHT, "Time"];
  const rows = runs.map((run) => [
    actionButton(run.name, () => show(run.id), {
      class: "ls-app-link",
      title: `Show ${run.name}`,
      "aria-current": run === best ? "true" : null,
    }),
    run.method_title,
    ...lightCells(run),
    accuracyWords(run),
    timeWords(run),
  ]);
  return [
    html(
      "p",
      { class: "ls-app-advice" },
      html("strong", {}, best ? "Look first at " : ""),
      words,
    ),
    html("div", { class: "ls-app-scroll" }, grid("The runs in figures", names, rows)),
  ];
}

function linkedWords(selection: DataView | undefined): string {
  const chosen = (selection?.byteLength ?? 0) / Uint32Array.BYTES_PER_ELEMENT;
  return chosen
    ? `${counted(chosen, "row is", "rows are")} chosen, in all maps.`
    : "Rows that you point at or choose in one map are marked in all.";
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

/** Let what is pointed at in one view be marked in all. */
export function linkPointers(stores: readonly Store[]): void {
  for (const store of stores) {
    store.on(({ hover }, before) => {
      if (hover !== before.hover) {
        for (const other of stores) {
          other.set({ hover }); // equal values tell nobody
        }
      }
    });
  }
}
