/** Gestures of the pointer and the wheel on a stage, in pixels of the stage. */

import type { Point } from "../geometry/plane";

export interface Handlers {
  /** Whether the right button also drags, and two fingers move the map. */
  readonly hasRight?: boolean;
  /** Two fingers move together. */
  slide?(from: Point, to: Point): void;
  hover?(at: Point | null): void;
  click(at: Point, event: MouseEvent): void;
  doubleClick?(at: Point): void;
  /** A drag begins; the handler returns what the drag does. */
  dragStart(at: Point, event: PointerEvent): "move" | "draw";
  move?(from: Point, to: Point): void;
  moveEnd?(): void;
  /** The path of the pointer so far. */
  draw?(path: readonly Point[]): void;
  drawEnd?(path: readonly Point[], event: PointerEvent): void;
  /** If this is missing, the wheel scrolls the page. */
  zoom?(at: Point, factor: number): void;
}

/** A pointer that moved less than this, in pixels, counts as a click. */
const STILL = 4;
/** Zoom for one pixel or one line of the wheel. */
const WHEEL = { pixel: 0.0015, line: 0.05 };
/** Controls that handle their own events. */
const CONTROLS = "button, a, input, [role=button]";

/** Listen to an element; call the returned function to stop. */
export function listen(el: HTMLElement, handlers: Handlers): () => void {
  const gestures = new Gestures(el, handlers);
  const stop = new AbortController();
  const { signal } = stop;
  el.addEventListener("pointerdown", (event) => gestures.press(event), { signal });
  el.addEventListener("pointermove", (event) => gestures.move(event), { signal });
  el.addEventListener("pointerup", (event) => gestures.release(event), { signal });
  el.addEventListener("pointercancel", (event) => gestures.release(event), { signal });
  el.addEventListener("pointerleave", () => handlers.hover?.(null), { signal });
  el.addEventListener("dblclick", (event) => gestures.doubleClick(event), { signal });
  const keepMenu = (event: MouseEvent) => handlers.hasRight && event.preventDefault();
  el.addEventListener("contextmenu", keepMenu, { signal });
  // Not passive, because the page must not scroll with the wheel.
  const wheel = (event: WheelEvent) => gestures.turnWheel(event);
  if (handlers.zoom) {
    el.addEventListener("wheel", wheel, { signal, passive: false });
  }
  return () => stop.abort();
}

/** Converts events to gestures: the joint movement of all fingers since the first touch. */
class Gestures {
  readonly #fingers = new Map<number, Point>();
  #start: Point | null = null;
  #path: Point[] = [];
  #doing: "move" | "draw" | null = null;

  constructor(
    private readonly el: HTMLElement,
    private readonly handlers: Handlers,
  ) {}

  press(event: PointerEvent): void {
    const isRight = event.button === 2 && this.handlers.hasRight;
    if ((event.button !== 0 && !isRight) || isControl(event)) {
      return;
    }
    if (this.#doing === "draw") {
      this.handlers.draw?.([]); // a second finger: two fingers zoom
    }
    const at = this.#at(event);
    this.#fingers.set(event.pointerId, at);
    this.#start = at;
    this.#path = [at];
    this.#doing = null;
  }

  move(event: PointerEvent): void {
    const now = this.#at(event);
    const last = this.#fingers.get(event.pointerId);
    if (!last) {
      this.handlers.hover?.(isControl(event) ? null : now);
    } else if (this.#fingers.size === 2) {
      this.#pinch(event.pointerId, last, now);
      this.#fingers.set(event.pointerId, now);
    } else if (this.#start && (this.#doing || distance(this.#start, now) >= STILL)) {
      this.#drag(this.#start, last, now, event);
      this.#fingers.set(event.pointerId, now);
    }
  }

  release(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId)) {
      return;
    }
    if (this.#doing === "move" && this.#fingers.size === 0) {
      this.handlers.moveEnd?.();
    } else if (this.#doing === "draw") {
      this.handlers.drawEnd?.(this.#path, event);
    } else if (
      !this.#doing &&
      this.#start &&
      event.type === "pointerup" &&
      event.button === 0
    ) {
      this.handlers.click(this.#at(event), event);
    }
    this.#start = null;
    this.#doing = null;
  }

  doubleClick(event: MouseEvent): void {
    if (!isControl(event)) {
      this.handlers.doubleClick?.(this.#at(event));
    }
  }

  turnWheel(event: WheelEvent): void {
    event.preventDefault();
    const speed = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? "pixel" : "line";
    this.handlers.zoom?.(this.#at(event), Math.exp(-event.deltaY * WHEEL[speed]));
  }

  #drag(start: Point, last: Point, now: Point, event: PointerEvent): void {
    if (!this.#doing) {
      // Not captured earlier, because inner controls would then get no clicks.
      this.el.setPointerCapture(event.pointerId);
      this.#doing = this.handlers.dragStart(start, event);
      this.handlers.hover?.(null);
    }
    this.#path.push(now);
    if (this.#doing === "move") {
      this.handlers.move?.(last, now);
    } else {
      this.handlers.draw?.(this.#path);
    }
  }

  #pinch(id: number, before: Point, now: Point): void {
    const other = [...this.#fingers].find(([key]) => key !== id)?.[1] as Point;
    const middle = between(now, other);
    if (this.handlers.hasRight) {
      this.handlers.slide?.(between(before, other), middle);
    }
    const factor = distance(now, other) / (distance(before, other) || 1);
    this.handlers.zoom?.(middle, factor);
    this.#doing = "move";
  }

  #at(event: MouseEvent): Point {
    const box = this.el.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

/** Whether an event belongs to a control on the stage. */
function isControl(event: Event): boolean {
  return event.target instanceof Element && event.target.closest(CONTROLS) !== null;
}

function between(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
