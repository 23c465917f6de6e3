/** A running fit: finished steps, the current step, and a curve of the loss. */

import { drawing, html, svg } from "../ui/elements";
import type { Progress, Run } from "./api";
import { RUN } from "./messages";
import { span } from "./page_parts";

export class Running {
  readonly el: HTMLElement;
  readonly #steps = html("ol.ls-app-steps");
  readonly #time = html("span.ls-app-quiet");
  readonly #curve = html("div.ls-app-curve");
  readonly #timer: number;
  #begun: number;

  constructor(run: Run) {
    this.#begun = run.created;
    this.el = html("div.ls-app-running", this.#steps, this.#curve);
    const words = run.state === "queued" ? RUN.waiting : RUN.starting;
    this.#steps.append(this.#step(words));
    this.#tick();
    this.#timer = window.setInterval(() => this.#tick(), 1000);
  }

  show(progress: Progress): void {
    const { past, begun, loss, done, total } = progress;
    this.#begun = begun;
    this.#steps.replaceChildren(
      ...past.map(([step, seconds]) =>
        html(
          "li.ls-app-done",
          RUN.steps[step],
          html("span.ls-app-quiet", span(Math.round(seconds))),
        ),
      ),
      this.#step(
        progressWords(progress),
        // The progress of a step whose parts are counted.
        total ? html("progress", { value: done ?? 0, max: total }) : null,
      ),
    );
    this.#tick();
    if (loss.length > 1) {
      const name = html("span.ls-app-quiet", { title: RUN.lossTitle }, "loss");
      this.#curve.replaceChildren(name, lossCurve(loss));
    }
  }

  destroy(): void {
    window.clearInterval(this.#timer);
    this.el.remove();
  }

  /** Show the current step. */
  #step(words: string, ...more: (Node | null)[]): HTMLElement {
    const title = html("strong", words);
    return html("li", { "aria-current": "step" }, title, ...more, this.#time);
  }

  #tick(): void {
    this.#time.textContent = span(Date.now() / 1000 - this.#begun);
  }
}

/** The current step of a run, and its progress, in words. */
export function progressWords(progress: Progress): string {
  const { step, done, total, iteration, loss } = progress;
  if (total) {
    return RUN.of(RUN.steps[step], done ?? 0, total);
  }
  return step !== "fitting" || iteration === 0
    ? RUN.steps[step]
    : RUN.iteration(RUN.steps[step], iteration, loss.at(-1));
}

const [WIDTH, HEIGHT, MARGIN] = [320, 72, 4];

/** A small curve of at least two values, with the numbers in its description. */
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
  const words = RUN.lossNow(last);
  return drawing(
    WIDTH,
    HEIGHT,
    { role: "img", "aria-label": words },
    svg("title", words),
    svg("polyline", { points: points.join(" "), fill: "none" }),
  );
}
