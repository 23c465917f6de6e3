/** The camera of a stage: moved at once or in a flight, and whoever shows it is told. */

import { between, type Camera, type Size } from "./camera";
import { Motion } from "./motion";

/** The picture is still being moved for so many milliseconds after a movement. */
const PAUSE = 160;

export class CameraControl {
  size: Size = { width: 0, height: 0 };
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  readonly #onMove: (moving: boolean) => void;
  readonly #flight = new Motion();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(onMove: (moving: boolean) => void) {
    this.#onMove = onMove;
  }

  get camera(): Camera {
    return this.#camera;
  }

  /** Be somewhere else at once, with more movements to follow. */
  move(camera: Camera): void {
    this.#flight.stop();
    this.#step(camera);
  }

  /** Be somewhere else at once, and stay. */
  set(camera: Camera): void {
    this.#flight.stop();
    clearTimeout(this.#pause);
    this.#camera = camera;
    this.#onMove(false);
  }

  /** Go somewhere else within some milliseconds. */
  fly(to: Camera, milliseconds: number): void {
    if (milliseconds > 0) {
      const from = this.#camera;
      this.#flight.play(milliseconds, (share) => this.#step(between(from, to, share)));
    } else {
      this.set(to);
    }
  }

  destroy(): void {
    this.#flight.stop();
    clearTimeout(this.#pause);
  }

  #step(camera: Camera): void {
    this.#camera = camera;
    this.#onMove(true);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#onMove(false), PAUSE);
  }
}
