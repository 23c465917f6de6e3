/** The runs of the workspace: open, compare, cancel, delete. */

import { lightsOf } from "../../scene/lights";
import { counted } from "../../scene/words/format";
import { html } from "../../ui/elements";
import { lightList } from "../../ui/lights";
import { renew } from "../../ui/renew";
import { api, type Run } from "../api";
import { actionButton, cut, grid, moment } from "../page_parts";
import { accuracyWords, timeWords } from "../run_figures";

const RIGHT = "New objects";
const RIGHT_TITLE =
  "How many new objects are taken for their class; every class counts the same";

export class RunList {
  readonly el = html("section", { class: "ls-app-runs" });
  readonly #changed: () => Promise<void>;
  readonly #ticked = new Set<string>();

  /** `changed` is called when a run was cancelled or deleted here. */
  constructor(changed: () => Promise<void>) {
    this.#changed = changed;
  }

  show(runs: readonly Run[]): void {
    const title = html("h2", { tabindex: -1 }, "Runs");
    if (runs.length === 0) {
      const none = "There are none yet. They stay here when you close the app.";
      renew(this.el, [title, html("p", { class: "ls-app-quiet" }, none)]);
      return;
    }
    const open = () => {
      location.hash = `#/compare/${[...this.#ticked].join(",")}`;
    };
    const compare = actionButton("Compare", open, { key: "compare" });
    const hint = html("span", { class: "ls-app-quiet", role: "status" });
    const tick = () => {
      const count = this.#ticked.size;
      compare.disabled = count < 2;
      hint.textContent =
        count < 2
          ? "Tick two finished runs to see them side by side."
          : `${counted(count, "run")} ticked.`;
    };
    for (const id of this.#ticked) {
      if (!runs.some((run) => run.id === id)) {
        this.#ticked.delete(id);
      }
    }
    tick();
    const names = ["", "Run", "Table", "Method", RIGHT, "State", "Begun", ""];
    const rows = runs.map((run) => [
      run.state === "finished" && !isPlaced(run) ? this.#tickBox(run, tick) : null,
      html("div", {}, linkTo(run), about(run)),
      cut(run.table_name),
      cut(run.method_title),
      right(run),
      state(run),
      html("span", { class: "ls-app-moment" }, moment(run.created)),
      this.#end(run),
    ]);
    const list = grid("Fits of this workspace, the newest first", names, rows);
    renew(this.el, [
      html("div", { class: "ls-app-title" }, title, hint, compare),
      html("div", { class: "ls-app-scroll" }, list),
    ]);
  }

  #tickBox(run: Run, tick: () => void): HTMLInputElement {
    const box = html("input", {
      type: "checkbox",
      "aria-label": `Compare ${run.name}`,
      "data-key": `tick ${run.id}`,
      onchange: () => {
        if (!this.#ticked.delete(run.id)) {
          this.#ticked.add(run.id);
        }
        tick();
      },
    });
    box.checked = this.#ticked.has(run.id);
    return box;
  }

  #end(run: Run): HTMLElement {
    const isLive = run.state === "queued" || run.state === "running";
    const words = isLive ? "Cancel" : "Delete";
    const act = async () => {
      if (isLive) {
        await api.cancel(run.id);
      } else if (window.confirm(`Delete the run "${run.name}"?`)) {
        await api.remove(run.id);
      }
      await this.#changed();
    };
    return actionButton(words, act, {
      key: `end ${run.id}`,
      "aria-label": `${words} ${run.name}`,
    });
  }
}

function linkTo(run: Run): HTMLElement {
  const attributes = { href: `#/run/${run.id}`, title: run.name, class: "ls-app-cut" };
  return html("a", { ...attributes, "data-key": `open ${run.id}` }, run.name);
}

/** Whether it shows rows of two tables, which no other run does. */
function isPlaced({ settings }: Run): boolean {
  return settings.placed_on !== null;
}

function about(run: Run): HTMLElement | null {
  if (run.state === "finished" && isPlaced(run)) {
    return cut(run.result.summary);
  }
  if (run.state === "finished") {
    return lightList(lightsOf(run.result));
  }
  return run.words ? cut(run.words, { "data-state": run.state }) : null;
}

/** How many new objects it is right for, where that can be told. */
function right(run: Run): HTMLElement {
  const words = run.state === "finished" && !isPlaced(run) ? accuracyWords(run) : "";
  return html("span", { class: "ls-app-figure", title: RIGHT_TITLE }, words);
}

function state(run: Run): HTMLElement {
  const taken = timeWords(run);
  const time = taken && ` ${run.state === "finished" ? "in" : "after"} ${taken}`;
  const attributes = { class: "ls-app-state", "data-state": run.state };
  return html("span", attributes, run.state, html("small", {}, time));
}
