/** Pointer and keyboard input on the map: move, zoom, bend, select, open. */

import type { Context } from "../context";
import { boxOf, type Point, placeOf } from "../geometry/plane";
import { dragged } from "../geometry/space";
import { type CameraControl, panned, zoomed } from "../map/camera";
import type { DiscFocus } from "../map/disc_focus";
import { type Handlers, listen } from "../map/gestures";
import {
  combined,
  type Pickable,
  pointAt,
  pointBeside,
  pointsInside,
} from "../map/picking";
import { questioned } from "../scene/marked_points";
import { choose, show } from "../state";
import type { MapPlaces } from "./map_places";

/** The parts of the stage that are used here. */
interface MapStage {
  readonly cameraControl: CameraControl;
  readonly discFocus: DiscFocus;
  readonly places: MapPlaces;
  pickable(): Pickable;
  goHome(): void;
  showPath(path: readonly Point[]): void;
}

/** The least and greatest zoom, relative to the default. */
const [FARTHEST, NEAREST] = [0.2, 1000];
const KEY_ZOOM = 1.3;
/** An arrow key rotates a 3-D map like a drag by this share of its step. */
const KEY_TURN = 0.3;
/** The right button, as a bit of `buttons` in events. */
const RIGHT = 2;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
};

export class MapInput implements Handlers {
  readonly #stop: () => void;
  /** The point that was clicked last; -1 if there was none. */
  #clicked = -1;
  #pans = false;

  constructor(
    private readonly el: HTMLElement,
    private readonly context: Context,
    private readonly stage: MapStage,
  ) {
    this.#stop = listen(el, this);
    el.addEventListener("keydown", this.#onKey);
  }

  destroy(): void {
    this.#stop();
    this.el.removeEventListener("keydown", this.#onKey);
  }

  hover(at: Point | null): void {
    const point = at ? this.#pointAt(at) : -1;
    this.context.store.set({ hover: point < 0 ? null : point });
    this.el.classList.toggle("ls-on-point", point >= 0);
  }

  click(at: Point, event: MouseEvent): void {
    const { selection } = this.context.store.state;
    const { discFocus } = this.stage;
    const disc = this.#disc;
    if (disc && discFocus.isMoving) {
      return; // the second click of a double click
    }
    const point = this.#pointAt(at);
    this.#clicked = point;
    if (disc && point < 0) {
      discFocus.fly(this.stage.places.projection().place(at));
    }
    const picked = Uint32Array.from(point < 0 ? [] : [point]);
    const adds = event.shiftKey || event.ctrlKey || event.metaKey;
    const how = selection.includes(point) ? "remove" : "add";
    if (adds || point < 0) {
      this.#choose(adds ? combined(selection, picked, how) : picked);
    } else {
      this.#look(point);
    }
  }

  doubleClick(at: Point): void {
    // In the disc, the first click has moved the point.
    const point = this.#disc ? this.#clicked : this.#pointAt(at);
    if (point < 0) {
      this.stage.goHome();
    } else {
      show(this.context, point);
    }
  }

  dragStart(at: Point, event: PointerEvent): "move" | "draw" {
    const { tool } = this.context.store.state;
    this.#pans = event.buttons === RIGHT;
    if ((tool !== "pan" || event.shiftKey) && !this.#pans) {
      return "draw";
    }
    if (this.#disc) {
      const point = this.#pointAt(at);
      const { positions } = this.stage.pickable().grid;
      this.stage.discFocus.grab(
        point < 0
          ? this.stage.places.projection().place(at)
          : placeOf(positions, point),
      );
    }
    this.el.classList.add("ls-grabbing");
    return "move";
  }

  move(from: Point, to: Point): void {
    if (this.#disc) {
      this.stage.discFocus.drag(to);
      return;
    }
    if (this.#isSolid && !this.#pans) {
      this.#turn(to[0] - from[0], to[1] - from[1]);
    } else {
      this.slide(from, to);
    }
  }

  slide(from: Point, to: Point): void {
    const { cameraControl } = this.stage;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    cameraControl.move(panned(cameraControl.camera, dx, dy));
  }

  /** If the left button rotates the map, the right button moves it. */
  get hasRight(): boolean {
    return this.#isSolid;
  }

  moveEnd(): void {
    this.stage.discFocus.release();
    this.el.classList.remove("ls-grabbing");
  }

  draw(path: readonly Point[]): void {
    this.stage.showPath(this.#outline(path));
  }

  drawEnd(path: readonly Point[], event: PointerEvent): void {
    const { store } = this.context;
    const stage = this.stage;
    const line = this.#outline(path);
    const picked = pointsInside(stage.pickable(), stage.places.projection(), line);
    const adds = event.ctrlKey || event.metaKey;
    const how = event.altKey ? "remove" : adds ? "add" : "instead";
    stage.showPath([]);
    this.#choose(combined(store.state.selection, picked, how));
  }

  /** Zoom the map; in the disc, bend it more or less. */
  zoom(at: Point, factor: number): void {
    const { cameraControl, discFocus } = this.stage;
    if (this.#disc) {
      discFocus.bend(factor);
      return;
    }
    const { camera, size } = cameraControl;
    const least = FARTHEST * this.stage.places.whole().scale;
    const most = NEAREST * this.stage.places.home().scale;
    const scale = Math.min(Math.max(camera.scale * factor, least), most);
    cameraControl.move(zoomed(camera, size, at, scale / camera.scale));
  }

  get #disc() {
    return this.stage.places.disc;
  }

  /** Whether the map has three dimensions and can be rotated. */
  get #isSolid(): boolean {
    return this.stage.places.solid !== null;
  }

  /** Rotate the map like a drag by some pixels. */
  #turn(dx: number, dy: number): void {
    const { store } = this.context;
    const { cameraControl } = this.stage;
    store.set({ turn: dragged(store.state.turn, dx, dy) });
    // The camera does not move, but marks are drawn as during a movement.
    cameraControl.move(cameraControl.camera);
  }

  #pointAt(pixel: Point): number {
    return pointAt(this.stage.pickable(), this.stage.places.projection(), pixel);
  }

  /** Select points; the panel changes from the Summary to the list of selected points. */
  #choose(selection: Uint32Array): void {
    const { store } = this.context;
    const { tab } = store.state;
    const isOpened = tab === "summary" && selection.length > 0;
    choose(store, selection, { tab: isOpened ? "selection" : tab });
  }

  /** Select one point and open its page, unless it is a suspect in the Summary. */
  #look(point: number): void {
    const { scene, store } = this.context;
    const { tab } = store.state;
    const isListed = tab === "summary" && questioned(scene).has(point);
    const selection = Uint32Array.of(point);
    store.set({ selection, object: point, tab: isListed ? tab : "object" });
  }

  /** The outline of a drawn path: the path itself, or a box between its ends. */
  #outline(path: readonly Point[]): readonly Point[] {
    if (this.context.store.state.tool !== "box" || path.length === 0) {
      return path;
    }
    const { x0, y0, x1, y1 } = boxOf(path[0], path[path.length - 1]);
    return [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ];
  }

  /** Move from the point under the pointer to the next point, as if the pointer moved there. */
  #step([dx, dy]: readonly [number, number]): void {
    const { store } = this.context;
    const { hover } = store.state;
    const projection = this.stage.places.projection();
    const pickable = this.stage.pickable();
    const { width, height } = projection.size;
    const from: Point =
      hover === null
        ? [width / 2, height / 2]
        : projection.screen(placeOf(pickable.grid.positions, hover));
    // Arrow keys without Shift move the map in the opposite direction.
    const point = pointBeside(pickable, projection, from, [
      -Math.sign(dx),
      -Math.sign(dy),
    ]);
    if (point >= 0) {
      store.set({ hover: point });
    }
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const { store } = this.context;
    const { selection, hover } = store.state;
    const isChosen = selection.length === 1 && selection[0] === hover;
    const { cameraControl } = this.stage;
    const { width, height } = cameraControl.size;
    if (event.target !== this.el || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key in ARROWS && event.shiftKey) {
      this.#step(ARROWS[event.key]);
    } else if (event.key in ARROWS && this.#isSolid) {
      const [dx, dy] = ARROWS[event.key];
      this.#turn(-dx * KEY_TURN, -dy * KEY_TURN);
    } else if (event.key in ARROWS && !this.#disc) {
      cameraControl.move(panned(cameraControl.camera, ...ARROWS[event.key]));
    } else if (event.key === "+" || event.key === "=" || event.key === "-") {
      this.zoom([width / 2, height / 2], event.key === "-" ? 1 / KEY_ZOOM : KEY_ZOOM);
    } else if (event.key === "0") {
      this.stage.goHome();
    } else if (event.key === "Enter" && hover !== null && !isChosen) {
      this.#look(hover);
    } else if (event.key === "Enter" && selection.length > 0) {
      show(this.context, selection[0]);
    } else {
      return;
    }
    event.preventDefault();
  };
}
