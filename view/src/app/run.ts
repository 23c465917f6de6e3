/** A run: the map while it forms, then the map. */

import { html } from "../elements";
import { HttpModel } from "../hosts/http_model";
import { render } from "../index";
import { api, type Progress, type ResultFile, type Run } from "./api";
import { lossCurve } from "./loss_curve";
import { button, type Page, say, waited } from "./page";

const FILES: readonly [ResultFile, string][] = [
  ["page", "Page"],
  ["positions", "Positions (CSV)"],
  ["model", "Model"],
  ["code", "Python code"],
];

export class RunPage implements Page {
  readonly #id: string;
  readonly #title = html("h1", {});
  readonly #tools = html("div", { class: "ls-app-tools" });
  readonly #status = html("p", { class: "ls-app-status", "aria-live": "polite" });
  readonly #curve = html("div", { class: "ls-app-curve" });
  readonly #stage = html("div", { class: "ls-app-stage" });
  #events: EventSource | null = null;
  #model: HttpModel | null = null;
  #stopView: (() => void) | null = null;
  #formingVersion = -1;
  #isGone = false;

  constructor(el: HTMLElement, id: string) {
    this.#id = id;
    el.append(
      html("div", { class: "ls-app-title" }, this.#title, this.#tools),
      this.#status,
      this.#curve,
      this.#stage,
    );
    void waited(this.#stage, async () => this.#show(await api.run(id)));
  }

  destroy(): void {
    this.#isGone = true;
    this.#events?.close();
    this.#stopView?.();
  }

  async #show(run: Run): Promise<void> {
    if (this.#isGone) {
      return;
    }
    this.#title.textContent = run.name;
    this.#title.dataset.state = run.state;
    this.#status.textContent = statusOf(run);
    if (run.state === "queued" || run.state === "running") {
      this.#tools.replaceChildren(
        button("Cancel", async () => {
          await api.cancel(this.#id);
        }),
      );
      this.#watch();
      return;
    }
    this.#curve.replaceChildren();
    this.#tools.replaceChildren(...this.#endedTools(run));
    if (run.state === "finished") {
      await this.#showScene(await api.bytes(`runs/${this.#id}/files/scene`));
    } else {
      this.#stopView?.();
      this.#stopView = null;
      this.#stage.replaceChildren();
    }
  }

  #watch(): void {
    this.#events = api.watch(this.#id);
    this.#events.addEventListener("progress", (event) => {
      void this.#progress(JSON.parse((event as MessageEvent).data));
    });
    this.#events.addEventListener("ended", (event) => {
      this.#events?.close();
      const run = JSON.parse((event as MessageEvent).data);
      void waited(this.#stage, () => this.#show(run));
    });
    this.#events.addEventListener("error", () => {
      if (this.#events?.readyState === EventSource.CLOSED) {
        say("The app does not answer. Is 'labelscape serve' still running?");
      }
    });
  }

  async #progress(progress: Progress): Promise<void> {
    this.#status.textContent = progress.words;
    if (progress.loss.length > 1) {
      this.#curve.replaceChildren(lossCurve(progress.loss));
    }
    if (!progress.has_positions || this.#formingVersion === progress.version) {
      return;
    }
    this.#formingVersion = progress.version;
    if (this.#model === null) {
      const scene = await api.bytes(`runs/${this.#id}/forming/scene`);
      if (scene.byteLength && this.#model === null) {
        await this.#showScene(scene);
      }
    }
    const positions = await api.bytes(`runs/${this.#id}/forming`);
    this.#model?.set("forming_words", progress.words);
    this.#model?.set("forming", new DataView(positions));
  }

  async #showScene(scene: ArrayBuffer): Promise<void> {
    if (this.#isGone) {
      return;
    }
    this.#stopView?.();
    this.#model = new HttpModel({ scene: new DataView(scene), height: 640 }, (object) =>
      api.explain(this.#id, object),
    );
    this.#stopView = render({ model: this.#model, el: this.#stage });
  }

  #endedTools(run: Run): HTMLElement[] {
    const links = FILES.filter(([file]) => file !== "model" || run.result.has_model);
    return [
      ...(run.state === "finished"
        ? links.map(([file, words]) =>
            html("a", { href: api.fileUrl(run.id, file), download: true }, words),
          )
        : []),
      button("Rename", () => this.#rename(run)),
      html("a", { href: `#/table/${run.table}` }, "Another run of this table"),
    ];
  }

  async #rename(run: Run): Promise<void> {
    const name = window.prompt("Name of this run", run.name)?.trim();
    if (name) {
      const renamed = await api.rename(run.id, name);
      this.#title.textContent = renamed.name;
      this.#tools.replaceChildren(...this.#endedTools(renamed));
    }
  }
}

function statusOf(run: Run): string {
  const seconds = run.result.seconds;
  if (run.state === "finished") {
    const time = seconds === undefined ? "" : ` in ${seconds.toFixed(1)} s`;
    return `Finished${time}. ${run.result.summary ?? ""} ${run.result.verdict ?? ""}`;
  }
  return run.words || `This run is ${run.state}.`;
}
