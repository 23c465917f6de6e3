/** A motion over some milliseconds, slow at both ends. */

export class Motion {
  #frame = 0;

  /** Call `step` with the share of the way that is done: at once, and in each frame until it is 1. */
  play(milliseconds: number, step: (share: number) => void): void {
    this.stop();
    const start = performance.now();
    const next = () => {
      const t =
        milliseconds > 0 ? Math.min((performance.now() - start) / milliseconds, 1) : 1;
      if (t < 1) {
        // Before the step, which may stop it.
        this.#frame = requestAnimationFrame(next);
      }
      step(t * t * (3 - 2 * t));
    };
    next();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }
}
