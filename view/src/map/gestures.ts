/** What a person does with pointer and wheel on a stage, in pixels of the stage. */

import type { Point } from "./geometry";

export interface Handlers {
  hover(at: Point | null): void;
  click(at: Point, event: MouseEvent): void;
  doubleClick(at: Point): void;
  /** A drag begins; the answer says what it is. */
  dragStart(at: Point, event: PointerEvent): "move" | "draw";
  move(from: Point, to: Point): void;
  moveEnd(): void;
  /** The way that the pointer has gone so far. */
  draw(path: readonly Point[]): void;
  drawEnd(path: readonly Point[], event: PointerEvent): void;
  zoom(at: Point, factor: number): void;
}

/** A pointer that moved less than this has not been dragged. */
const STILL = 4;
/** Zoom for one pixel of the wheel, and for one of its lines. */
const WHEEL = { pixel: 0.0015, line: 0.05 };

/** Listen to an element; call what is returned to stop. */
export function listen(el: HTMLElement, handlers: Handlers): () => void {
  const fingers = new Map<number, Point>();
  let start: Point | null = null;
  let path: Point[] = [];
  let doing: "move" | "draw" | null = null;

  const at = (event: MouseEvent): Point => {
    const box = el.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || isControl(event)) {
      return;
    }
    fingers.set(event.pointerId, at(event));
    start = at(event);
    path = [start];
    doing = null;
  };

  const move = (event: PointerEvent) => {
    const now = at(event);
    const last = fingers.get(event.pointerId);
    if (!last) {
      handlers.hover(isControl(event) ? null : now);
      return;
    }
    if (fingers.size === 2) {
      pinch(event.pointerId, now);
    } else if (start && (doing || distance(start, now) >= STILL)) {
      if (!doing) {
        // Taken only now: a captured pointer would keep clicks from inner controls.
        el.setPointerCapture(event.pointerId);
        doing = handlers.dragStart(start, event);
        handlers.hover(null);
      }
      path.push(now);
      if (doing === "move") {
        handlers.move(last, now);
      } else {
        handlers.draw(path);
      }
    } else {
      return;
    }
    fingers.set(event.pointerId, now);
  };

  const pinch = (id: number, now: Point) => {
    const before = fingers.get(id) as Point;
    const other = [...fingers].find(([key]) => key !== id)?.[1] as Point;
    const middle: Point = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    handlers.zoom(middle, distance(now, other) / (distance(before, other) || 1));
    doing = "move";
  };

  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) {
      return;
    }
    if (doing === "move" && fingers.size === 0) {
      handlers.moveEnd();
    } else if (doing === "draw") {
      handlers.drawEnd(path, event);
    } else if (!doing && start && event.type === "pointerup") {
      handlers.click(at(event), event);
    }
    start = null;
    doing = null;
  };

  const leave = () => handlers.hover(null);

  const double = (event: MouseEvent) => {
    if (!isControl(event)) {
      handlers.doubleClick(at(event));
    }
  };

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const speed = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? "pixel" : "line";
    handlers.zoom(at(event), Math.exp(-event.deltaY * WHEEL[speed]));
  };

  el.addEventListener("pointerdown", down);
  el.addEventListener("pointermove", move);
  el.addEventListener("pointerup", up);
  el.addEventListener("pointercancel", up);
  el.addEventListener("pointerleave", leave);
  el.addEventListener("dblclick", double);
  el.addEventListener("wheel", wheel, { passive: false });
  return () => {
    el.removeEventListener("pointerdown", down);
    el.removeEventListener("pointermove", move);
    el.removeEventListener("pointerup", up);
    el.removeEventListener("pointercancel", up);
    el.removeEventListener("pointerleave", leave);
    el.removeEventListener("dblclick", double);
    el.removeEventListener("wheel", wheel);
  };
}

/** Whether an event belongs to a control that lies on the stage. */
function isControl(event: Event): boolean {
  return (
    event.target instanceof Element && event.target.closest("[role=button]") !== null
  );
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
