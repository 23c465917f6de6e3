import { beforeEach, expect, test, vi } from "vitest";
import { type Handlers, listen } from "../../src/map/gestures";

let el: HTMLElement;
let stop: () => void;
let told: unknown[][];
let kind: "move" | "draw";

beforeEach(() => {
  el = document.createElement("div");
  el.innerHTML = "<b role='button'></b>";
  el.setPointerCapture = vi.fn();
  document.body.replaceChildren(el);
  told = [];
  kind = "move";
  const tell = (name: string) => (at: unknown, more: unknown) => {
    told.push([name, structuredClone(at), ...(more instanceof Event ? [] : [more])]);
  };
  const handlers: Handlers = {
    hover: (at) => told.push(["hover", at]),
    click: tell("click"),
    doubleClick: (at) => told.push(["doubleClick", at]),
    dragStart: (at) => {
      told.push(["dragStart", at]);
      return kind;
    },
    move: tell("move"),
    moveEnd: () => told.push(["moveEnd"]),
    draw: (path) => told.push(["draw", [...path]]),
    drawEnd: tell("drawEnd"),
    zoom: tell("zoom"),
  };
  stop = listen(el, handlers);
});

function point(
  type: string,
  [clientX, clientY]: [number, number],
  { pointerId = 1, target = el as Element } = {},
): void {
  const about = { clientX, clientY, pointerId, button: 0, bubbles: true };
  target.dispatchEvent(new PointerEvent(type, about));
}

test("who presses and releases without moving much has clicked", () => {
  point("pointerdown", [10, 10]);
  point("pointermove", [12, 11]);
  point("pointerup", [12, 11]);
  expect(told).toEqual([["click", [12, 11]]]);
  expect(el.setPointerCapture).not.toHaveBeenCalled();
});

test("a dragged pointer moves the map from place to place", () => {
  point("pointerdown", [10, 10]);
  point("pointermove", [20, 10]);
  point("pointermove", [21, 12]);
  point("pointerup", [21, 12]);
  expect(told).toEqual([
    ["dragStart", [10, 10]],
    ["hover", null],
    ["move", [10, 10], [20, 10]],
    ["move", [20, 10], [21, 12]],
    ["moveEnd"],
  ]);
  expect(el.setPointerCapture).toHaveBeenCalledOnce();
});

test("a line is drawn with all its places", () => {
  kind = "draw";
  point("pointerdown", [0, 0]);
  point("pointermove", [9, 0]);
  point("pointermove", [9, 9]);
  point("pointerup", [9, 9]);
  const path = [
    [0, 0],
    [9, 0],
    [9, 9],
  ];
  expect(told.slice(-2)).toEqual([
    ["draw", path],
    ["drawEnd", path],
  ]);
});

test("two fingers zoom around their middle, and click nothing", () => {
  point("pointerdown", [0, 0]);
  point("pointerdown", [10, 0], { pointerId: 2 });
  point("pointermove", [20, 0], { pointerId: 2 });
  expect(told).toEqual([["zoom", [10, 0], 2]]);
  point("pointerup", [20, 0], { pointerId: 2 });
  point("pointerup", [0, 0]);
  expect(told.slice(1)).toEqual([]);
});

test("a second finger takes away the line that the first one draws", () => {
  kind = "draw";
  point("pointerdown", [0, 0]);
  point("pointermove", [9, 0]);
  point("pointerdown", [20, 0], { pointerId: 2 });
  expect(told.at(-1)).toEqual(["draw", []]);
  point("pointermove", [30, 0], { pointerId: 2 });
  point("pointerup", [30, 0], { pointerId: 2 });
  point("pointerup", [9, 0]);
  expect(told.map(([name]) => name)).not.toContain("drawEnd");
});

test("a pointer that was taken away has not clicked", () => {
  point("pointerdown", [1, 1]);
  point("pointercancel", [1, 1]);
  expect(told).toEqual([]);
});

test("a pointer that is not pressed hovers, but not over a control", () => {
  point("pointermove", [5, 6]);
  point("pointermove", [5, 6], { target: el.firstElementChild as Element });
  point("pointerleave", [5, 6]);
  expect(told).toEqual([
    ["hover", [5, 6]],
    ["hover", null],
    ["hover", null],
  ]);
});

test.each([
  "<b role='button'></b>",
  "<button></button>",
  "<a href='#'></a>",
  "<input>",
])("a control on the stage keeps its clicks: %s", (control) => {
  el.innerHTML = control;
  const target = el.firstElementChild as Element;
  point("pointerdown", [5, 6], { target });
  point("pointerup", [5, 6], { target });
  target.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
  expect(told).toEqual([]);
});

test("the wheel zooms and does not scroll; upwards comes nearer", () => {
  const wheel = new WheelEvent("wheel", { deltaY: -100, cancelable: true });
  el.dispatchEvent(wheel);
  expect(wheel.defaultPrevented).toBe(true);
  const [[name, , factor]] = told;
  expect(name).toBe("zoom");
  expect(factor).toBeGreaterThan(1);
});

test("who has stopped listening hears nothing", () => {
  stop();
  point("pointermove", [5, 6]);
  el.dispatchEvent(new WheelEvent("wheel", { deltaY: 1 }));
  expect(told).toEqual([]);
});
