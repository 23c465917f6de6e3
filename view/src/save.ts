/** The picture as a file: title, stage, legend and verdict, as SVG or as PNG. */

import { grouping, numbersOf, rampOf } from "./coloring";
import { classColor, ramp, type Shade } from "./colors";
import { svg } from "./elements";
import * as format from "./format";
import { FONT, TONES } from "./marks";
import { shortened } from "./names";
import type { Context } from "./panel";
import type { Honesty } from "./scene";
import { shadeOf } from "./theme";
import { wrapped } from "./wrap";

const SCALE = 2;
const MARGIN = 16;
const HEAD = 52;
const LINE = 18;
const LEGEND = 190;
/** Room for the mark of the verdict. */
const MARK = 18;
/** As in `tokens.css`. */
const VERDICTS = {
  light: { real: "#00987e", mixed: "#b88900", made: "#a62314" },
  dark: { real: "#2fbfa3", mixed: "#e0b000", made: "#e0705f" },
} as const;

/** Whoever can draw what is on the stage. */
export interface Drawable {
  drawing(vector: boolean): Promise<SVGSVGElement>;
}

/** Save the picture where the browser saves files. */
export async function save(
  kind: "png" | "svg",
  stage: Drawable,
  context: Context,
): Promise<void> {
  const blob =
    kind === "png" ? await png(stage, context) : await vector(stage, context);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName(context.scene.title)}.${kind}`;
  link.click();
  // The browser has read the address by the end of this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The picture as PNG, twice as fine as on the screen. */
export async function png(stage: Drawable, context: Context): Promise<Blob> {
  const page = composed(await stage.drawing(false), context);
  const image = new Image();
  const address = URL.createObjectURL(fileOf(page));
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * Number(page.getAttribute("width"));
  canvas.height = SCALE * Number(page.getAttribute("height"));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) {
        resolve(blob);
      } else {
        reject(new Error("The browser could not make a PNG of this size."));
      }
    }, "image/png");
  });
}

async function vector(stage: Drawable, context: Context): Promise<Blob> {
  return fileOf(composed(await stage.drawing(true), context));
}

function fileOf(page: SVGSVGElement): Blob {
  const text = new XMLSerializer().serializeToString(page);
  return new Blob([text], { type: "image/svg+xml" });
}

/** Title above, legend to the right, verdict below. */
export function composed(stage: SVGSVGElement, context: Context): SVGSVGElement {
  const { scene, store } = context;
  const { map, theme, level } = store.state;
  const shade = shadeOf(theme);
  const { ink, paper } = TONES[shade];
  const stageWidth = Number(stage.getAttribute("width"));
  const stageHeight = Number(stage.getAttribute("height"));
  const legend = legendOf(context, shade, stageHeight);
  const width = stageWidth + 2 * MARGIN + legend.width;
  const honesty = level === "data" ? scene.maps[map].honesty : null;
  const words = level === "data" ? honesty?.verdict : scene.model?.words;
  const verdict = wrapped(words ?? "", Math.floor((width - 2 * MARGIN) / 6));
  const indent = honesty ? MARK : 0;
  const height = HEAD + stageHeight + MARGIN + verdict.length * LINE;
  const page = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": FONT,
    "font-size": 12,
    fill: ink,
  });
  stage.setAttribute("x", String(MARGIN));
  stage.setAttribute("y", String(HEAD));
  legend.el.setAttribute("transform", `translate(${stageWidth + 2 * MARGIN} ${HEAD})`);
  page.append(
    svg("rect", { width, height, fill: paper }),
    svg(
      "text",
      { x: MARGIN, y: 24, "font-size": 15, "font-weight": 600 },
      shortened(scene.title, Math.floor(width / 8)),
    ),
    svg("text", { x: MARGIN, y: 41, opacity: 0.7 }, scene.subtitle),
    stage,
    legend.el,
    ...verdict.map((line, k) =>
      svg("text", { x: MARGIN + indent, y: HEAD + stageHeight + LINE * (k + 1) }, line),
    ),
  );
  if (honesty) {
    const mark = honestyMark(honesty.level, shade);
    const y = HEAD + stageHeight + LINE - 4;
    mark.setAttribute("transform", `translate(${MARGIN + 5} ${y})`);
    page.append(mark);
  }
  return page;
}

/** The mark of a verdict around the origin, shaped and coloured as on the page. */
function honestyMark(level: Honesty["level"], shade: Shade): SVGElement {
  const fill = VERDICTS[shade][level];
  return {
    real: () => svg("circle", { r: 5, fill }),
    mixed: () => svg("path", { d: "M0-6L6 0L0 6L-6 0Z", fill }),
    made: () => svg("path", { d: "M0-5L5 5L-5 5Z", fill }),
  }[level]();
}

function legendOf({ scene, store }: Context, shade: Shade, height: number) {
  const { map, colorBy, hiddenClasses, level } = store.state;
  const numbers = level === "data" ? numbersOf(scene, map, colorBy) : null;
  const el = svg("g", {});
  let top = 0;
  if (numbers) {
    el.append(svg("text", { y: 12, "font-weight": 600 }, shortened(numbers.words, 28)));
    const colors = ramp(rampOf(colorBy), shade).filter((_, i) => i % 4 === 0);
    const step = (LEGEND - 2 * MARGIN) / colors.length;
    colors.forEach((fill, k) => {
      el.append(
        svg("rect", { x: k * step, y: 20, width: step + 0.5, height: 10, fill }),
      );
    });
    const { low, high } = numbers;
    const end = LEGEND - 2 * MARGIN;
    el.append(
      svg("text", { y: 44 }, format.number(low)),
      svg("text", { x: end, y: 44, "text-anchor": "end" }, format.number(high)),
    );
    top = 64;
  }
  const classes = grouping(scene, colorBy);
  const counts = new Uint32Array(scene.classes.length);
  for (const index of classes?.data ?? []) {
    counts[index]++;
  }
  const rows = Math.max(Math.floor((height - top) / LINE), 1);
  const shown = scene.classes.map((_, c) => c).filter((c) => !hiddenClasses.has(c));
  shown.forEach((c, k) => {
    const x = Math.floor(k / rows) * LEGEND;
    const y = top + (k % rows) * LINE + 12;
    el.append(
      svg("circle", {
        cx: x + 5,
        cy: y - 4,
        r: 5,
        fill: classColor(c, scene.classes.length, shade),
      }),
      svg(
        "text",
        { x: x + 16, y },
        `${shortened(scene.classes[c], 18)}  ${format.count(counts[c])}`,
      ),
    );
  });
  return { el, width: LEGEND * Math.max(Math.ceil(shown.length / rows), 1) };
}

function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "labelscape";
}
