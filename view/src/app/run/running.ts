/** A fit under way: what it does, since when, and how its loss falls. */

import { number } from "../../scene/words/format";
import { html, svg } from "../../ui/elements";
import type { Progress, Run } from "../api";
import { span } from "../page_parts";

const LOSS = "What the map still gets wrong: the curve falls while it learns";

export class Running {
  readonly el: HTMLElement;
  readonly #words = html("strong", {});
  readonly #time = html("span", { class: "ls-app-quiet" });
  readonly #curve = html("div", { class: "ls-app-curve" });
  readonly #begun: number;
  readonly #timer: number;

  constructor(run: Run) {
    this.#begun = run.created;
    this.el = html(
      "div",
      { class: "ls-app-running" },
      html(
        "div",
        { class: "ls-app-doing" },
        html("i", { class: "ls-app-pulse", "aria-hidden": "true" }),
        this.#words,
        this.#time,
      ),
      this.#curve,
    );
    this.#words.textContent = run.state === "queued" ? "Waiting for its turn." : "";
    this.#tick();
    this.#timer = window.setInterval(() => this.#tick(), 1000);
  }

  show(progress: Progress): void {
    const { loss } = progress;
    this.#words.textContent = progressWords(progress);
    this.#tick();
    if (loss.length > 1) {
      const name = html("span", { class: "ls-app-quiet", title: LOSS }, "loss");
      this.#curve.replaceChildren(name, lossCurve(loss));
    }
  }

  destroy(): void {
    window.clearInterval(this.#timer);
    this.el.remove();
  }

  #tick(): void {
    this.#time.textContent = span(Date.now() / 1000 - this.#begun);
  }
}

/** What a run does now: its step in words, or how far the iterations have come. */
export function progressWords({ step, words, iteration, loss }: Progress): string {
  if (step !== "fitting" || iteration === 0) {
    return words;
  }
  const last = loss.at(-1);
  return last === undefined
    ? `Iteration ${iteration}.`
    : `Iteration ${iteration}, loss ${number(last)}.`;
}

const [WIDTH, HEIGHT, MARGIN] = [320, 72, 4];

/** A small curve of at least two values; the numbers stand in its description. */
export function lossCurve(values: readonly number[]): SVGSVGElement {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (k: number) => MARGIN + (k * (WIDTH - 2 * MARGIN)) / (values.length - 1);
  const y = (value: number) =>
    HEIGHT -
    MARGIN -
    ((value - low) * (HEIGHT - 2 * MARGIN)) / (high - low || Math.abs(high) || 1);
  const points = values.map((value, k) => `${x(k).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values[values.length - 1] ?? Number.NaN;
  const words = `Loss so far, now ${last.toPrecision(4)}`;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      "aria-label": words,
    },
    svg("title", {}, words),
    svg("polyline", { points: points.join(" "), fill: "none" }),
  );
}
