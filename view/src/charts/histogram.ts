/** A histogram whose bars are selected by a click, or by dragging over several bars. */

import { CHARTS } from "../messages";
import type { Bins } from "../scene/bins";
import { shortened } from "../scene/names";
import { drawing, onPress, svg } from "../ui/elements";

const HEIGHT = 64;
const FOOT = 16;
const LINE = 18;
const NAME = 0.52;
const LONGEST_NAME = 13;

interface Counts {
  readonly all: Uint32Array;
  /** The counts of selected points; null if no point is selected. */
  readonly chosen: Uint32Array | null;
}

/** Called with the bins that the user selected, by a click or by dragging. */
type OnChoose = (first: number, last: number) => void;

/** Vertical bars for numbers; horizontal bars with names for categories. */
export function histogram(
  bins: Bins,
  counts: Counts,
  pressed: ReadonlySet<number>,
  width: number,
  onChoose: OnChoose,
): SVGSVGElement {
  const n = bins.words.length;
  const isUpright = bins.ends !== null;
  const step = isUpright ? width / n : LINE;
  const root = drawing(width, isUpright ? HEIGHT + FOOT : n * LINE, {
    class: "ls-chart ls-histogram",
    role: "group",
    "aria-label": CHARTS.histogram(bins.name),
  });
  const most = counts.all.reduce((a, b) => Math.max(a, b), 1);
  const place = { width, step, most, isUpright };
  const drawn = bins.words.map((words, k) => {
    const [all, chosen] = [counts.all[k], counts.chosen?.[k] ?? null];
    const label = CHARTS.bin(words, all, chosen);
    return svg(
      "g.ls-bin",
      {
        role: "button",
        tabindex: 0,
        "data-key": `bin:${bins.name}:${k}`,
        "data-bin": k,
        "data-value": all,
        "data-chosen": chosen,
        "aria-pressed": String(pressed.has(k)),
        "aria-label": label,
        onkeydown: onPress(() => onChoose(k, k)),
      },
      svg("title", label),
      svg("rect.ls-bin-slot", { ...slotOf(k, place) }),
      svg("rect.ls-bin-all", { ...barOf(k, all, place) }),
      chosen === null
        ? null
        : svg("rect.ls-bin-chosen", { ...barOf(k, chosen, place) }),
      isUpright
        ? null
        : svg(
            "text.ls-tick",
            { x: 0, y: k * step + LINE - 5 },
            shortened(words, LONGEST_NAME),
          ),
    );
  });
  root.append(...drawn, ...ends(bins, width));
  brush(root, n, (event) => binAt(event, root, isUpright, step), onChoose);
  return root;
}

/** Direction and size of the bars, and the largest count. */
interface Placing {
  readonly width: number;
  readonly step: number;
  readonly most: number;
  readonly isUpright: boolean;
}

/** Lengths are proportional to counts; square roots would distort shares. */
function barOf(k: number, count: number, { width, step, most, isUpright }: Placing) {
  const share = count / most;
  const length = (1 - NAME) * width * share;
  return isUpright
    ? {
        x: k * step,
        y: HEIGHT * (1 - share),
        width: Math.max(step - 1, 1),
        height: HEIGHT * share,
      }
    : { x: NAME * width, y: k * step + 2, width: length, height: LINE - 4 };
}

/** The full area of a bar, for clicks. */
function slotOf(k: number, { width, step, isUpright }: Placing) {
  return isUpright
    ? { x: k * step, y: 0, width: step, height: HEIGHT }
    : { x: 0, y: k * step, width, height: LINE };
}

function ends({ ends: given }: Bins, width: number): SVGElement[] {
  const [low, high] = given ?? ["", ""];
  const text = (words: string, x: number, anchor: string) =>
    svg("text.ls-tick", { x, y: HEIGHT + FOOT - 3, "text-anchor": anchor }, words);
  return given ? [text(low, 0, "start"), text(high, width, "end")] : [];
}

/** The bin under the pointer, even if the pointer has left the chart. */
function binAt(
  { clientX, clientY }: PointerEvent,
  root: SVGSVGElement,
  isUpright: boolean,
  step: number,
): number {
  const box = root.getBoundingClientRect();
  const scale = box.width > 0 ? Number(root.getAttribute("width")) / box.width : 1;
  const along = isUpright ? clientX - box.left : clientY - box.top;
  return Math.floor((along * scale) / step);
}

/** Drag over bars: all bars between press and release are selected. */
function brush(
  root: SVGSVGElement,
  n: number,
  at: (event: PointerEvent) => number,
  onChoose: OnChoose,
): void {
  let start = -1;
  let last = -1;
  const within = (bin: number) => Math.min(Math.max(bin, 0), n - 1);
  const show = () => {
    const [a, b] = [Math.min(start, last), Math.max(start, last)];
    root.querySelectorAll(".ls-bin").forEach((bin, k) => {
      bin.classList.toggle("ls-bin-brushed", start >= 0 && k >= a && k <= b);
    });
  };
  root.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && n > 0) {
      start = last = within(at(event));
      root.setPointerCapture?.(event.pointerId);
      show();
    }
  });
  root.addEventListener("pointermove", (event) => {
    if (start >= 0) {
      last = within(at(event));
      show();
    }
  });
  root.addEventListener("pointerup", () => {
    if (start >= 0) {
      const [a, b] = [Math.min(start, last), Math.max(start, last)];
      start = -1;
      show();
      onChoose(a, b);
    }
  });
  root.addEventListener("pointercancel", () => {
    start = -1;
    show();
  });
}
