/** Runs side by side: for each table, a view with the maps of all its runs. */

import { decodeScene, type Scene } from "../scene/scene";
import { html } from "../ui/elements";
import { lightsOf } from "../ui/lights";
import { api, type Run } from "./api";
import { APP } from "./messages";
import { accuracyWords, advice, type Page, timeWords, waited } from "./page_parts";
import { Stage } from "./stage";

interface LoadedRun {
  readonly run: Run;
  readonly scene: Scene;
}

export class ComparePage implements Page {
  readonly #stages: Stage[] = [];
  #isGone = false;

  constructor(el: HTMLElement, ids: readonly string[]) {
    const title = html("h1", APP.sideBySide);
    el.append(title);
    document.title = APP.title(APP.sideBySide);
    void waited(el, async () => {
      const shown = await Promise.all(ids.map(loadRun));
      if (this.#isGone) {
        return;
      }
      for (const some of ofOneTable(shown)) {
        const stage = new Stage(null);
        this.#stages.push(stage);
        el.append(stage.el);
        stage.show(together(some));
      }
    });
  }

  destroy(): void {
    this.#isGone = true;
    for (const stage of this.#stages) {
      stage.clear();
    }
  }
}

async function loadRun(id: string): Promise<LoadedRun> {
  const run = await api.run(id);
  return { run, scene: decodeScene(await api.bytes(`runs/${id}/files/scene`)) };
}

/** Group runs that show the same rows with the same classes. */
export function ofOneTable(shown: readonly LoadedRun[]): LoadedRun[][] {
  const groups = new Map<string, LoadedRun[]>();
  for (const one of shown) {
    const { run, scene } = one;
    const { table, settings } = run;
    const rows = [table, settings.placed_on, scene.n_points, settings.reading.label];
    const key = JSON.stringify([...rows, scene.classes]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** Return one scene with the maps of several runs. */
export function together(shown: readonly LoadedRun[]): Scene {
  const [first] = shown;
  if (first === undefined) {
    throw new Error(APP.noRun);
  }
  const runs = shown.map(({ run }) => run);
  const { best, words } = advice(runs);
  return {
    ...first.scene,
    title: first.run.table_name,
    // The model of one run cannot explain the maps of other runs.
    model: null,
    predictions: null,
    certainty: null,
    audit: null,
    maps: shown.map(({ run, scene }) => ({
      ...scene.maps[0],
      name: run.name,
      prototypes: null,
      regions: null,
      borders: null,
    })),
    comparison: {
      columns: ["run", "method", "real", "kept", "unseen", "time"],
      rows: runs.map((run) => {
        const [real, kept] = lightsOf(run.result);
        return [
          run.name,
          run.method_title,
          real?.answer ?? "–",
          kept?.answer ?? "–",
          accuracyWords(run),
          timeWords(run),
        ];
      }),
      words: best ? [words] : [],
      recommended: best?.name ?? "",
    },
  };
}
