/** A stage of SVG marks that is moved and zoomed like the map, or shown in the disc. */

import { duration } from "../color/theme";
import type { Context, Stage } from "../context";
import type { Point } from "../geometry/plane";
import { type Camera, Motion, panned, type Size, zoomed } from "../map/camera";
import { type Bent, DiscFocus } from "../map/disc_focus";
import { listen } from "../map/gestures";
import { HyperbolicDisc, middle } from "../map/hyperbolic";
import { bentLine, Projection } from "../map/projection";
import type { Disc, State } from "../state";
import { html, svg } from "../ui/elements";

/** Size before the page has a layout. */
const USUAL_SIZE: Size = { width: 640, height: 480 };
const STEP = 1.25;
/** Margin around the disc, with room for text below. */
const MARGIN = 12;
const FOOT = 40;
const TURN = 600;

/** The picture on a stage. */
interface Picture {
  readonly name: string;
  readonly label: string;
  /** The positions of all objects: x0, y0, x1, y1, … */
  places(): ArrayLike<number>;
  /** The place around which the disc is bent, if it is not the middle of all. */
  readonly base?: Point;
  /** Free space to the left and right of the disc. */
  sideRoom?(width: number): number;
  /** The camera that shows everything. */
  fitted(size: Size): Camera;
  /** Moves all marks to their places. */
  draw(): void;
}

export abstract class SvgStage implements Bent, Stage {
  readonly root: HTMLElement;
  readonly svg: SVGSVGElement;
  protected readonly context: Context;
  readonly #picture: Picture;
  readonly #focus: DiscFocus;
  readonly #rim = svg("circle.ls-rim");
  readonly #observer: ResizeObserver;
  readonly #stop: () => void;
  #size = USUAL_SIZE;
  #camera: Camera | null = null;
  #isMoved = false;
  /** The projection before the disc was switched on or off, and its remaining share. */
  #before: { readonly seen: Projection; share: number } | null = null;
  readonly #turning = new Motion();

  constructor(el: HTMLElement, context: Context, picture: Picture) {
    this.context = context;
    this.#picture = picture;
    this.#focus = new DiscFocus(context.store, this);
    const { name, label } = picture;
    this.svg = svg("svg.ls-marks", { role: "group", "aria-label": label });
    const look = `ls-svg-stage ls-stage-${name}`;
    this.root = html("div", { class: look, tabindex: -1 }, this.svg);
    el.append(this.root);
    this.#stop = listen(this.root, {
      click: (at) => {
        if (this.projection().disc && !this.#focus.isMoving) {
          this.#focus.fly(this.projection().place(at));
        }
      },
      doubleClick: () => this.goHome(),
      dragStart: (at) => {
        this.#focus.grab(this.projection().place(at));
        return "move";
      },
      move: (from, to) => this.#move(from, to),
      moveEnd: () => this.#focus.release(),
      zoom: (at, factor) => this.#zoom(at, factor),
    });
    this.root.addEventListener("keydown", (event) => this.#onKey(event));
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(this.root);
  }

  get size(): Size {
    return this.#size;
  }

  get base(): Point {
    return this.#picture.base ?? middle(this.places());
  }

  places(): ArrayLike<number> {
    return this.#picture.places();
  }

  projection(): Projection {
    return this.#seen(this.context.store.state.disc);
  }

  /** The pixel at which a place is shown, also while the disc is switched on or off. */
  screen(place: Point): Point {
    const now = this.projection().screen(place);
    if (this.#before === null) {
      return now;
    }
    const { seen, share } = this.#before;
    const was = seen.screen(place);
    return [now[0] + (was[0] - now[0]) * share, now[1] + (was[1] - now[1]) * share];
  }

  /** Pixels along a straight line of the picture, which the disc bends. */
  line(from: Point, to: Point): Point[] {
    const isBent = this.projection().disc && this.#before === null;
    return isBent
      ? [...bentLine(this.projection(), from, to), this.screen(to)]
      : [this.screen(from), this.screen(to)];
  }

  usualDisc(): Disc {
    return this.#focus.usual();
  }

  /** In the disc, move a place to the middle. */
  focusOn(place: Point): void {
    this.#focus.fly(place);
  }

  /** Show everything again. */
  goHome(): void {
    this.#focus.goHome();
    this.reset();
  }

  /** Show everything without an animation. */
  reset(): void {
    this.#isMoved = false;
    this.#camera = this.#fitted(this.context.store.state.disc);
    this.draw();
  }

  update({ disc }: State, { disc: before }: State): void {
    if ((disc === null) !== (before === null)) {
      const seen = this.#seen(before);
      this.#isMoved = false;
      this.#camera = this.#fitted(disc);
      // From the earlier to the new projection in a smooth motion.
      this.#turning.play(duration(TURN), (share) => {
        this.#before = share < 1 ? { seen, share: 1 - share } : null;
        this.draw();
      });
    } else if (disc !== before) {
      this.draw();
    }
  }

  draw(): void {
    this.#drawRim();
    this.#picture.draw();
  }

  destroy(): void {
    this.#turning.stop();
    this.#focus.destroy();
    this.#observer.disconnect();
    this.#stop();
    this.root.remove();
  }

  /** Created when first needed, because it requires a picture. */
  get #seenBy(): Camera {
    this.#camera ??= this.#fitted(this.context.store.state.disc);
    return this.#camera;
  }

  #seen(disc: Disc | null): Projection {
    const bent = disc && new HyperbolicDisc(this.base, disc);
    return new Projection(this.#seenBy, this.#size, bent);
  }

  #fitted(disc: Disc | null): Camera {
    if (disc === null) {
      return this.#picture.fitted(this.#size);
    }
    const { width, height } = this.#size;
    const side = this.#picture.sideRoom?.(width) ?? 0;
    const scale = Math.max(Math.min(width / 2 - side, (height - FOOT) / 2) - MARGIN, 1);
    return { x: 0, y: -FOOT / 2 / scale, scale };
  }

  #drawRim(): void {
    const { camera, size, disc } = this.projection();
    if (disc === null || this.places().length === 0) {
      this.#rim.remove();
      return;
    }
    const [cx, cy] = [size.width / 2, size.height / 2 + camera.y * camera.scale];
    for (const [name, value] of Object.entries({ cx, cy, r: camera.scale })) {
      this.#rim.setAttribute(name, value.toFixed(1));
    }
    this.svg.prepend(this.#rim);
  }

  #move(from: Point, to: Point): void {
    if (this.context.store.state.disc) {
      this.#focus.drag(to);
    } else {
      this.#look(panned(this.#seenBy, to[0] - from[0], to[1] - from[1]));
    }
  }

  #zoom(at: Point, factor: number): void {
    if (this.context.store.state.disc) {
      this.#focus.bend(factor);
    } else {
      this.#look(zoomed(this.#seenBy, this.#size, at, factor));
    }
  }

  #look(camera: Camera): void {
    this.#isMoved = true;
    this.#camera = camera;
    this.draw();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0) {
      return;
    }
    this.#size = { width, height };
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (this.#isMoved) {
      this.draw();
    } else {
      this.reset();
    }
  }

  #onKey(event: KeyboardEvent): void {
    const { width, height } = this.#size;
    const factor = { "+": STEP, "=": STEP, "-": 1 / STEP }[event.key];
    if (factor !== undefined) {
      this.#zoom([width / 2, height / 2], factor);
    } else if (event.key === "0") {
      this.goHome();
    }
  }
}
