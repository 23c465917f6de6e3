/** The picture as a file: title, stage, legend and verdict, as SVG or as PNG. */

import { type Shade, TONES } from "../color/colors";
import { shadeOf } from "../color/theme";
import type { Context } from "../context";
import { FONT } from "../map/overlay";
import { objectId, shortened } from "../scene/names";
import type { Honesty, Scene } from "../scene/scene";
import { wrapped } from "../scene/text";
import type { State } from "../state";
import { svg } from "../ui/elements";
import { download } from "./download";
import { savedLegend } from "./saved_legend";

const SCALE = 2;
const MARGIN = 16;
const HEAD = 52;
const LINE = 18;
/** About how wide a letter is. */
const LETTER = 6.5;
/** Room for the mark of the verdict. */
const MARK = 18;
/** As in `tokens.css`. */
const VERDICTS = {
  light: { real: "#00987e", mixed: "#b88900", made: "#a62314" },
  dark: { real: "#2fbfa3", mixed: "#e0b000", made: "#e0705f" },
} as const;

/** Whoever can draw what is on the stage. */
interface Drawable {
  drawing(vector: boolean): Promise<SVGSVGElement>;
  /** What is said on and under it; a verdict first. */
  words(): string[];
}

/** Save the picture where the browser saves files. */
export async function save(
  kind: "png" | "svg",
  stage: Drawable,
  context: Context,
): Promise<void> {
  const blob =
    kind === "png" ? await png(stage, context) : await vector(stage, context);
  download(blob, `${fileName(titleOf(context.scene, context.store.state))}.${kind}`);
}

/** Why a picture could not be made, in a sentence. */
export function notSaved(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The picture was not saved. ${why}`;
}

/** The picture as PNG, twice as fine as on the screen. */
export async function png(stage: Drawable, context: Context): Promise<Blob> {
  const page = composed(await stage.drawing(false), context, stage.words());
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
  return fileOf(composed(await stage.drawing(true), context, stage.words()));
}

function fileOf(page: SVGSVGElement): Blob {
  const text = new XMLSerializer().serializeToString(page);
  return new Blob([text], { type: "image/svg+xml" });
}

/** What is shown, by name: of which data, on which map or level. */
export function titleOf(scene: Scene, state: State): string {
  const { level, map, object, compressed } = state;
  const isBrief = compressed && scene.model?.compressed;
  const shown = {
    data: () => (isBrief ? "centres" : scene.maps[map].name),
    classes: () => "classes",
    object: () => (object === null ? "object" : objectId(scene, object)),
  }[level]();
  const joint = scene.title.includes(":") ? ", " : ": ";
  return scene.title.endsWith(shown) ? scene.title : scene.title + joint + shown;
}

/** Title above, legend to the right, words below. */
export function composed(
  stage: SVGSVGElement,
  context: Context,
  words: readonly string[],
): SVGSVGElement {
  const { scene, store } = context;
  const { map, theme, level, compressed } = store.state;
  const shade = shadeOf(theme);
  const { ink, paper } = TONES[shade];
  const stageWidth = Number(stage.getAttribute("width"));
  const stageHeight = Number(stage.getAttribute("height"));
  const legend = savedLegend(context, shade, stageHeight);
  const width = stageWidth + 2 * MARGIN + legend.width;
  const isMap = level === "data" && !(compressed && scene.model?.compressed);
  const honesty = isMap ? scene.maps[map].honesty : null;
  const indent = honesty ? MARK : 0;
  const most = Math.floor((width - 2 * MARGIN - indent) / LETTER);
  const lines = words.flatMap((part, k) =>
    wrapped(part, most).map((line) => ({ line, opacity: k === 0 ? 1 : 0.75 })),
  );
  const foot = HEAD + Math.max(stageHeight, legend.height);
  const height = foot + MARGIN + lines.length * LINE;
  const page = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": FONT,
    "font-size": 12,
    fill: ink,
    color: ink,
  });
  stage.setAttribute("x", String(MARGIN));
  stage.setAttribute("y", String(HEAD));
  legend.el.setAttribute("transform", `translate(${stageWidth + 2 * MARGIN} ${HEAD})`);
  page.append(
    svg("rect", { width, height, fill: paper }),
    svg(
      "text",
      { x: MARGIN, y: 24, "font-size": 15, "font-weight": 600 },
      shortened(titleOf(scene, store.state), Math.floor(width / 9)),
    ),
    svg("text", { x: MARGIN, y: 41, opacity: 0.7 }, scene.subtitle),
    stage,
    legend.el,
    ...lines.map(({ line, opacity }, k) =>
      svg("text", { x: MARGIN + indent, y: foot + LINE * (k + 1), opacity }, line),
    ),
  );
  if (honesty) {
    const mark = honestyMark(honesty.level, shade);
    mark.setAttribute("transform", `translate(${MARGIN + 5} ${foot + LINE - 4})`);
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

function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "labelscape";
}
