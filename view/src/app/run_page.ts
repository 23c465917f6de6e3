/** The page of a run: the map during the fit, then the result. */

import type { Labels } from "../scene/decisions";
import { html } from "../ui/elements";
import { api, type Progress, type ResultFile, type Run } from "./api";
import { APP, HOME, RUN } from "./messages";
import {
  actionButton,
  complain,
  dropDown,
  goOn,
  type Page,
  timeWords,
  waited,
} from "./page_parts";
import { fixes, Naming, placingPart } from "./run_tools";
import { Running } from "./running";
import { Stage } from "./stage";

const FILES: readonly [Exclude<ResultFile, "scene">, string][] = [
  ["page", "Page"],
  ["positions", "Positions"],
  ["placed", "Placed rows"],
  ["model", "Model"],
  ["code", "Python code"],
];

export class RunPage implements Page {
  readonly #id: string;
  readonly #naming = new Naming(
    async (name) => (await api.rename(this.#id, name)).name,
  );
  readonly #tools = html("div.ls-app-tools");
  readonly #status = html("div.ls-app-status", { role: "status" });
  readonly #live = html("div");
  readonly #stage: Stage;
  #running: Running | null = null;
  #events: EventSource | null = null;
  #formingVersion = -1;
  #isGone = false;
  #saving: Promise<void> = Promise.resolve();

  constructor(el: HTMLElement, id: string) {
    this.#id = id;
    this.#stage = new Stage(id);
    el.append(
      html("div.ls-app-title", this.#naming.el, this.#tools),
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
    // The state of a finished run is only for screen readers.
    this.#status.classList.toggle("ls-app-unseen", run.state === "finished");
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
    const [scene, decisions] = await Promise.all([
      api.bytes(`runs/${this.#id}/files/scene`),
      api.decisions(this.#id),
    ]);
    if (this.#isGone) {
      return;
    }
    this.#stage.refit = run.can_refit ? this.#refit : undefined;
    this.#stage.helps = fixes(run, (begin) =>
      waited(this.#live, async () => goOn(this.#live, `#/run/${(await begin()).id}`)),
    );
    delete this.#stage.el.dataset.forming;
    const model = this.#stage.show(scene, decisions);
    model.on("change:decisions", () => this.#keep(model.get("decisions") ?? "[]"));
  }

  /** Save decisions in the order in which they were made. */
  #keep(decisions: string): void {
    this.#saving = this.#saving
      .then(() => api.decide(this.#id, JSON.parse(decisions)))
      .then(
        () => complain(this.#live, ""),
        (error: Error) => complain(this.#live, RUN.notKept(error.message)),
      );
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
      void this.#form(progress).catch(() => complain(this.#live, APP.silent));
    });
    events.addEventListener("ended", (event) => {
      events.close();
      const ended: Run = JSON.parse((event as MessageEvent).data);
      void waited(this.#stage.el, () => this.#show(ended));
    });
    // The browser reconnects; until then, the page shows a message.
    events.addEventListener("error", () => complain(this.#live, APP.silent));
  }

  /** Show the current positions of the points. */
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
        this.#stage.el.dataset.forming = "";
      }
    }
    const positions = await api.bytes(`runs/${this.#id}/forming`);
    if (this.#isForming) {
      this.#stage.model?.set("forming", new DataView(positions));
    }
  }

  /** False if the run ended while its last positions were being sent. */
  get #isForming(): boolean {
    return this.#running !== null && !this.#isGone;
  }

  #endedTools(run: Run): HTMLElement[] {
    const { placed_on } = run.settings;
    const left = placed_on === null ? "placed" : "positions";
    const files = FILES.filter(
      ([file]) => file !== left && (file !== "model" || run.result.has_model),
    );
    const links = files.map(([file, words]) => {
      const href = api.fileUrl(run.id, file);
      return html("a", { href, download: true, title: RUN.files[file] }, words);
    });
    const isFinished = run.state === "finished";
    const remove = async () => {
      if (window.confirm(HOME.deleteRun(run.name))) {
        await api.remove(run.id);
        goOn(this.#status, "#/");
      }
    };
    return [
      isFinished ? dropDown("Save", ...links) : null,
      isFinished && placed_on === null
        ? actionButton(RUN.placeNew, () => this.#ask(run))
        : null,
      placed_on === null
        ? html(
            "a",
            { href: `#/table/${run.table}/${run.id}`, title: RUN.another },
            RUN.anotherRun,
          )
        : html("a", { href: `#/run/${placed_on}` }, RUN.theMap),
      dropDown(
        "More",
        actionButton("Rename", () => this.#naming.edit()),
        actionButton("Delete", remove, { class: "ls-app-button ls-app-delete" }),
        isFinished ? html("p.ls-app-quiet", aboutRun(run)) : null,
      ),
    ].filter((tool) => tool !== null);
  }

  /** Show the form for new rows above the map; a second click hides it. */
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

/** The state of a run, in words. */
function statusOf(run: Run): HTMLElement[] {
  const asked = html("p.ls-app-quiet", settingsOf(run));
  if (run.state === "queued" || run.state === "running") {
    return [asked];
  }
  if (run.state === "finished") {
    return [html("p", aboutRun(run))];
  }
  const time = timeWords(run) && RUN.after(timeWords(run));
  const state = html("strong", `${run.state}${time}${run.words ? ":" : "."}`);
  return [html("p", state, run.words), asked];
}

/** A finished run in words: its duration, summary and settings. */
function aboutRun(run: Run): string {
  return RUN.finished(timeWords(run), run.result.summary ?? "", settingsOf(run));
}

/** The settings of a run, in words. */
function settingsOf({ table_name, method_title, settings }: Run): string {
  const { label } = settings.reading;
  const nDecided = Object.keys(settings.decisions).length;
  const parameters = Object.entries(settings.parameters).map(
    ([name, value]) => `${name} = ${value ?? "None"}`,
  );
  if (settings.placed_on !== null) {
    return RUN.placedOn(table_name, settings.placed_on_name ?? "");
  }
  return [
    RUN.table(table_name),
    ...(label === null ? [] : [RUN.classesIn(label)]),
    ...(nDecided > 0 ? [RUN.decided(nDecided)] : []),
    RUN.method(method_title),
    ...parameters,
    RUN.seed(settings.seed),
  ]
    .join(", ")
    .concat(".");
}
