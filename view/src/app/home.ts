/** The first page: load a table, or come back to a run. */

import { html } from "../elements";
import { api, type Dataset, type Run } from "./api";
import { button, grid, moment, type Page, waited } from "./page";

// Running fits change the list without anybody touching the page.
const REFRESH = 2000;

export class HomePage implements Page {
  readonly #runs = html("section", { class: "ls-app-runs" });
  readonly #sets = html("div", { class: "ls-app-sets" });
  readonly #chosen = new Set<string>();
  readonly #timer: number;
  #shown = "";

  constructor(el: HTMLElement) {
    el.append(
      html(
        "section",
        { class: "ls-app-load" },
        html("h1", {}, "A map of your data"),
        dropZone(),
        html("h2", {}, "Or one of these"),
        this.#sets,
      ),
      this.#runs,
    );
    void waited(this.#sets, async () => this.#showSets(await api.datasets()));
    void waited(this.#runs, () => this.#refresh());
    this.#timer = window.setInterval(() => void this.#refresh(), REFRESH);
  }

  destroy(): void {
    window.clearInterval(this.#timer);
  }

  #showSets(sets: readonly Dataset[]): void {
    this.#sets.replaceChildren(
      ...sets.map((set) => {
        const size = `${set.rows} rows, ${set.features} features, ${set.classes} classes`;
        const open = button(set.name, () => opened(api.embed(set.name)), {
          class: "ls-app-set",
          title: size,
        });
        open.append(html("small", {}, set.description));
        return open;
      }),
    );
  }

  async #refresh(): Promise<void> {
    const runs = await api.runs();
    const now = JSON.stringify(runs);
    if (now !== this.#shown) {
      this.#shown = now;
      this.#showRuns(runs);
    }
  }

  #showRuns(runs: readonly Run[]): void {
    if (runs.length === 0) {
      this.#runs.replaceChildren(
        html("h2", {}, "Runs"),
        html("p", {}, "There are none yet. They stay here when you close the app."),
      );
      return;
    }
    const compare = button("Compare the ticked runs", () => {
      location.hash = `#/compare/${[...this.#chosen].join(",")}`;
    });
    const tick = () => {
      compare.disabled = this.#chosen.size < 2;
    };
    tick();
    const rows = runs.map((run) => [
      run.state === "finished" ? this.#tickBox(run, tick) : null,
      html("a", { href: `#/run/${run.id}` }, run.name),
      run.table_name,
      html("span", { class: "ls-app-state", "data-state": run.state }, run.state),
      moment(run.created),
      run.state === "queued" || run.state === "running"
        ? button("Cancel", () => this.#changed(api.cancel(run.id)))
        : button("Delete", () => this.#delete(run), {
            "aria-label": `Delete ${run.name}`,
          }),
    ]);
    this.#runs.replaceChildren(
      html("h2", {}, "Runs"),
      grid(
        "Fits of this workspace, the newest first",
        ["", "Run", "Table", "State", "Begun", ""],
        rows,
      ),
      compare,
    );
  }

  #tickBox(run: Run, tick: () => void): HTMLInputElement {
    const box = html("input", {
      type: "checkbox",
      "aria-label": `Compare ${run.name}`,
      onchange: () => {
        if (!this.#chosen.delete(run.id)) {
          this.#chosen.add(run.id);
        }
        tick();
      },
    });
    box.checked = this.#chosen.has(run.id);
    return box;
  }

  async #delete(run: Run): Promise<void> {
    if (window.confirm(`Delete the run "${run.name}"?`)) {
      this.#chosen.delete(run.id);
      await this.#changed(api.remove(run.id));
    }
  }

  async #changed(change: Promise<unknown>): Promise<void> {
    await change;
    await this.#refresh();
  }
}

async function opened(table: Promise<{ readonly id: string }>): Promise<void> {
  location.hash = `#/table/${(await table).id}`;
}

function dropZone(): HTMLElement {
  const input = html("input", {
    type: "file",
    id: "ls-app-file",
    accept: ".csv,.tsv,.txt,.gz,.parquet,.feather,.arrow,.npy,.npz",
  });
  const zone: HTMLElement = html(
    "label",
    { class: "ls-app-drop", for: "ls-app-file" },
    html("strong", {}, "Drop a table here, or choose a file"),
    html("span", {}, "CSV, TSV, Parquet, Arrow, npy or npz. It stays on this machine."),
    input,
  );
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) {
      void waited(zone, () => opened(api.upload(file)));
    }
  };
  input.addEventListener("change", () => take(input.files));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("ls-over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("ls-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("ls-over");
    take(event.dataTransfer?.files);
  });
  return zone;
}
