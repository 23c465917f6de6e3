/** A run: the map while it forms, then the map. */

import type { Labels } from "../../context";
import { lightsOf } from "../../scene/lights";
import { html } from "../../ui/elements";
import { lightList } from "../../ui/lights";
import { api, type Progress, type ResultFile, type Run, SILENT } from "../api";
import { actionButton, complain, goOn, type Page, span, waited } from "../page_parts";
import { Stage } from "../stage";
import { Naming } from "./naming";
import { placingPart } from "./placing";
import { progressWords, Running } from "./running";

const FILES: readonly [ResultFile, string, string][] = [
  ["page", "Page", "One HTML file with this map, for anybody"],
  ["positions", "Positions", "The places of all rows, as CSV"],
  ["placed", "Placed rows", "Places and likely classes of the new rows, as CSV"],
  ["model", "Model", "The fitted model, for labelscape.load"],
  ["code", "Python code", "A script that repeats this run"],
];

const ANOTHER = "The same table, with another method or other settings";

export class RunPage implements Page {
  readonly #id: string;
  readonly #naming = new Naming(
    async (name) => (await api.rename(this.#id, name)).name,
  );
  readonly #tools = html("div", { class: "ls-app-tools" });
  readonly #status = html("div", { class: "ls-app-status", role: "status" });
  readonly #live = html("div", {});
  readonly #stage: Stage;
  #running: Running | null = null;
  #events: EventSource | null = null;
  #formingVersion = -1;
  #isGone = false;

  constructor(el: HTMLElement, id: string) {
    this.#id = id;
    this.#stage = new Stage(id);
    el.append(
      html("div", { class: "ls-app-title" }, this.#naming.el, this.#tools),
      this.#status,
      this.#live,
      this.#stage.el,
    );
    void waited(this.#stage.el, async () => this.#show(await api.run(id)));
  }

  destroy(): void {
    this.#isGone = true;
    this.#events?.close();
    this.#running?.destroy();
    this.#stage.clear();
  }

  async #show(run: Run): Promise<void> {
    if (this.#isGone) {
      return;
    }
    this.#naming.show(run.name);
    this.#status.dataset.state = run.state;
    this.#status.replaceChildren(...statusOf(run));
    if (run.state === "queued" || run.state === "running") {
      this.#watch(run);
      return;
    }
    this.#running?.destroy();
    this.#running = null;
    this.#tools.replaceChildren(...this.#endedTools(run));
    this.#live.replaceChildren();
    if (run.state !== "finished") {
      this.#stage.clear();
      return;
    }
    const scene = await api.bytes(`runs/${this.#id}/files/scene`);
    if (!this.#isGone) {
      this.#stage.refit = run.can_refit ? this.#refit : undefined;
      this.#stage.show(scene);
    }
  }

  readonly #refit = (labels: Labels): void => {
    void waited(this.#live, async () => {
      const run = await api.refit(this.#id, labels);
      goOn(this.#live, `#/run/${run.id}`);
    });
  };

  #watch(run: Run): void {
    this.#tools.replaceChildren(
      actionButton("Cancel", async () => {
        await api.cancel(this.#id);
      }),
    );
    const running = new Running(run);
    this.#running = running;
    this.#live.replaceChildren(running.el);
    const events = api.watch(this.#id);
    this.#events = events;
    events.addEventListener("progress", (event) => {
      complain(this.#live, "");
      const progress: Progress = JSON.parse((event as MessageEvent).data);
      running.show(progress);
      void this.#form(progress).catch(() => complain(this.#live, SILENT));
    });
    events.addEventListener("ended", (event) => {
      events.close();
      const ended: Run = JSON.parse((event as MessageEvent).data);
      void waited(this.#stage.el, () => this.#show(ended));
    });
    // The browser tries again by itself; meanwhile the page says why nothing moves.
    events.addEventListener("error", () => complain(this.#live, SILENT));
  }

  /** Show where the points are now. */
  async #form(progress: Progress): Promise<void> {
    const { has_positions, version } = progress;
    if (!has_positions || this.#formingVersion === version) {
      return;
    }
    this.#formingVersion = version;
    if (this.#stage.model === null) {
      const scene = await api.bytes(`runs/${this.#id}/forming/scene`);
      if (scene.byteLength && this.#isForming && this.#stage.model === null) {
        this.#stage.show(scene);
      }
    }
    const positions = await api.bytes(`runs/${this.#id}/forming`);
    if (this.#isForming) {
      this.#stage.model?.set("forming_words", progressWords(progress));
      this.#stage.model?.set("forming", new DataView(positions));
    }
  }

  /** False when the run has ended while its last positions were on the way. */
  get #isForming(): boolean {
    return this.#running !== null && !this.#isGone;
  }

  #endedTools(run: Run): HTMLElement[] {
    const { placed_on } = run.settings;
    const left = placed_on === null ? "placed" : "positions";
    const files = FILES.filter(
      ([file]) => file !== left && (file !== "model" || run.result.has_model),
    );
    const links = files.map(([file, words, title]) =>
      html("a", { href: api.fileUrl(run.id, file), download: true, title }, words),
    );
    return [
      ...(run.state === "finished"
        ? [html("span", { class: "ls-app-quiet" }, "Save"), ...links]
        : []),
      ...(run.state === "finished" && placed_on === null
        ? [actionButton("Place new rows", () => this.#ask(run))]
        : []),
      actionButton("Rename", () => this.#naming.edit()),
      actionButton("Delete", async () => {
        if (window.confirm(`Delete the run "${run.name}"?`)) {
          await api.remove(run.id);
          goOn(this.#status, "#/");
        }
      }),
      placed_on === null
        ? html(
            "a",
            { href: `#/table/${run.table}/${run.id}`, title: ANOTHER },
            "Another run",
          )
        : html("a", { href: `#/run/${placed_on}` }, "The map"),
    ];
  }

  /** Ask for new rows, above the map; a second time, put the question away. */
  #ask(run: Run): void {
    if (this.#live.firstChild) {
      this.#live.replaceChildren();
      return;
    }
    const part = placingPart(run);
    this.#live.replaceChildren(part);
    part.focus();
  }
}

/** How a run stands, in words. */
function statusOf(run: Run): HTMLElement[] {
  const asked = html("span", { class: "ls-app-quiet" }, settingsOf(run));
  if (run.state === "queued" || run.state === "running") {
    return [html("p", {}, asked)];
  }
  const { seconds, summary } = run.result;
  if (run.state !== "finished") {
    const state = html("strong", {}, `${run.state}${run.words ? ":" : "."}`);
    return [html("p", {}, state, run.words), html("p", {}, asked)];
  }
  const time = seconds === undefined ? "" : `in ${span(Math.ceil(seconds))}`;
  return [
    ...(run.settings.placed_on === null ? [lightList(lightsOf(run.result))] : []),
    html("p", {}, `Finished ${time}. ${summary ?? ""} `, asked),
  ];
}

/** How many labels a person has decided on. */
function decidedIn({ decisions }: Run["settings"]): string[] {
  const n = Object.keys(decisions).length;
  return n === 0 ? [] : [`${n === 1 ? "1 label" : `${n} labels`} decided on`];
}

/** What was asked for. */
function settingsOf({ table_name, settings }: Run): string {
  const parameters = Object.entries(settings.parameters).map(
    ([name, value]) => `${name} = ${value ?? "None"}`,
  );
  if (settings.placed_on !== null) {
    return `Table ${table_name}, placed on ${settings.placed_on_name}.`;
  }
  return [
    `Table ${table_name}`,
    ...(settings.label === null ? [] : [`classes in ${settings.label}`]),
    ...decidedIn(settings),
    `method ${settings.method}`,
    ...parameters,
    `seed ${settings.seed}`,
  ]
    .join(", ")
    .concat(".");
}
