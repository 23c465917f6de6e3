/** A histogram whose bars are chosen by a click, or by drawing over several. */

import type { Bins } from "../scene/rows/bins";
import { counted } from "../scene/words/format";
import { shortened } from "../scene/words/names";
import { svg } from "../ui/elements";

const HEIGHT = 64;
const FOOT = 16;
const LINE = 18;
const NAME = 0.52;
const LONGEST_NAME = 13;

export interface Counts {
  readonly all: Uint32Array;
  /** Of the chosen points; null where none are. */
  readonly chosen: Uint32Array | null;
}

/** Bins that a person chose: one by a click, several by drawing over them. */
type OnChoose = (first: number, last: number) => void;

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Upright bars for numbers; for categories lying ones, with their names. */
export function histogram(
  bins: Bins,
  counts: Counts,
  pressed: ReadonlySet<number>,
  width: number,
  onChoose: OnChoose,
): SVGSVGElement {
  const n = bins.words.length;
  const most = counts.all.reduce((a, b) => Math.max(a, b), 1);
  const isUpright = bins.ends !== null;
  const height = isUpright ? HEIGHT + FOOT : n * LINE;
  const step = isUpright ? width / n : LINE;
  // Square roots would lie about shares: lengths are in proportion.
  const bar = (k: number, count: number): Bar => {
    const share = count / most;
    return isUpright
      ? {
          x: k * step,
          y: HEIGHT * (1 - share),
          width: Math.max(step - 1, 1),
          height: HEIGHT * share,
        }
      : {
          x: NAME * width,
          y: k * step + 2,
          width: (1 - NAME) * width * share,
          height: LINE - 4,
        };
  };
  const slot = (k: number): Bar =>
    isUpright
      ? { x: k * step, y: 0, width: step, height: HEIGHT }
      : { x: 0, y: k * step, width, height: LINE };
  const root = svg("svg", {
    class: "ls-chart ls-histogram",
    role: "group",
    "aria-label": `Histogram of ${bins.name}`,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  const drawn = bins.words.map((words, k) => {
    const [all, chosen] = [counts.all[k], counts.chosen?.[k] ?? null];
    const said = `${words}: ${counted(all, "point")}`;
    const label = chosen === null ? said : `${said}, ${chosen} chosen`;
    return svg(
      "g",
      {
        class: "ls-bin",
        role: "button",
        tabindex: 0,
        "data-key": `bin:${bins.name}:${k}`,
        "data-bin": k,
        "data-value": all,
        "data-chosen": chosen,
        "aria-pressed": String(pressed.has(k)),
        "aria-label": label,
        onkeydown: (event) => onKey(event as KeyboardEvent, k, onChoose),
      },
      svg("title", {}, label),
      svg("rect", { class: "ls-bin-slot", ...slot(k) }),
      svg("rect", { class: "ls-bin-all", ...bar(k, all) }),
      chosen === null
        ? null
        : svg("rect", { class: "ls-bin-chosen", ...bar(k, chosen) }),
      isUpright
        ? null
        : svg(
            "text",
            { class: "ls-tick", x: 0, y: k * step + LINE - 5 },
            shortened(words, LONGEST_NAME),
          ),
    );
  });
  root.append(...drawn, ...ends(bins, width));
  brush(root, n, (event) => binAt(event, root, isUpright, step), onChoose);
  return root;
}

function ends({ ends: given }: Bins, width: number): SVGElement[] {
  const [low, high] = given ?? ["", ""];
  const text = (words: string, x: number, anchor: string) =>
    svg(
      "text",
      { class: "ls-tick", x, y: HEIGHT + FOOT - 3, "text-anchor": anchor },
      words,
    );
  return given ? [text(low, 0, "start"), text(high, width, "end")] : [];
}

function onKey(event: KeyboardEvent, k: number, onChoose: OnChoose): void {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    onChoose(k, k);
  }
}

/** The bin under the pointer, also when it has left the chart. */
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

/** Draw over bars: what lies between press and release is chosen. */
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
