/** The button in the corner of the map for points outside the first frame. */

import type { Camera } from "../map/camera";
import { STAGE } from "../messages";
import { button } from "../ui/elements";

/** Below this zoom, all points are still visible. */
const NEARLY = 1.02;

export class FurtherOut {
  readonly el: HTMLButtonElement;
  #nOutside = 0;
  #showsAll = false;

  /** `go` shows all points (true), or the part that is shown first. */
  constructor(go: (all: boolean) => void) {
    this.el = button("", () => go(!this.#showsAll), {
      class: "ls-further",
      hidden: true,
    });
  }

  /** Set the number of points outside; hidden if there are none. */
  tell(nOutside: number): void {
    this.#nOutside = nOutside;
    this.el.hidden = nOutside === 0;
    this.#write();
  }

  /** Offer the part that is not visible now. */
  see(camera: Camera, whole: Camera): void {
    const showsAll = camera.scale <= NEARLY * whole.scale;
    if (showsAll !== this.#showsAll) {
      this.#showsAll = showsAll;
      this.#write();
    }
  }

  #write(): void {
    this.el.textContent = this.#showsAll
      ? STAGE.toMiddle
      : STAGE.outside(this.#nOutside);
    this.el.title = this.#showsAll ? STAGE.toMiddleTitle : STAGE.outsideTitle;
    this.el.dataset.shows = this.#showsAll ? "all" : "middle";
  }
}
