/** The picture as a file, SVG or PNG: title, stage, legend and lights. */

import { TONES } from "../color/colors";
import { shadeOf } from "../color/theme";
import { type Context, shownOf } from "../context";
import { download } from "../files/out";
import { FONT } from "../map/marks/overlay";
import { SAVE } from "../messages";
import { objectId } from "../scene/names";
import type { Scene } from "../scene/scene";
import type { State } from "../state";
import { type Attributes, drawing, svg } from "../ui/elements";
import { lightsOf } from "../ui/lights";
import { savedLegend, savedLights } from "./saved_legend";
import { linesOf, PLAIN } from "./texts";

const SCALE = 2;
const MARGIN = 16;
const LINE = 18;
const TITLE = { size: 15, weight: 600 };
/** The space between title and stage. */
const GAP = 10;
/** An object that can draw the stage. */
interface Drawable {
  drawing(vector: boolean): Promise<SVGSVGElement>;
  /** The texts on and below the stage. */
  words(): string[];
}

/** Save the picture in the download folder of the browser. */
export async function save(
  kind: "png" | "svg",
  stage: Drawable,
  context: Context,
  bare = false,
): Promise<void> {
  const draw = kind === "png" ? png : vector;
  const blob = await draw(stage, context, bare);
  const title = titleOf(context.scene, context.store.state);
  const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  download(blob, `${name || "labelscape"}.${kind}`);
}

/** The reason why a picture could not be saved. */
export function notSaved(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return SAVE.failed(why);
}

/** The picture as PNG, with twice the resolution of the screen. */
export async function png(
  stage: Drawable,
  context: Context,
  bare = false,
): Promise<Blob> {
  const page = composed(await stage.drawing(false), context, stage.words(), bare);
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
        reject(new Error(SAVE.tooLarge));
      }
    }, "image/png");
  });
}

async function vector(stage: Drawable, context: Context, bare: boolean): Promise<Blob> {
  return fileOf(composed(await stage.drawing(true), context, stage.words(), bare));
}

function fileOf(page: SVGSVGElement): Blob {
  const text = new XMLSerializer().serializeToString(page);
  return new Blob([text], { type: "image/svg+xml" });
}

/** The title: the data, and the map or level that is shown. */
export function titleOf(scene: Scene, state: State): string {
  const { map, object } = state;
  const shown = {
    map: scene.maps[map].name,
    maps: SAVE.sideBySide,
    centers: "centers",
    classes: "classes",
    object: object === null ? "point" : objectId(scene, object),
  }[shownOf(scene, state)];
  const joint = scene.title.includes(":") ? ", " : ": ";
  return scene.title.endsWith(shown) ? scene.title : scene.title + joint + shown;
}

/** Title above, legend on the right, lights and texts below; `bare`: only the legend. */
export function composed(
  stage: SVGSVGElement,
  context: Context,
  words: readonly string[],
  bare = false,
): SVGSVGElement {
  const { scene, store } = context;
  const { map, theme } = store.state;
  const shade = shadeOf(theme);
  const { ink, paper } = TONES[shade];
  const stageWidth = Number(stage.getAttribute("width"));
  const stageHeight = Number(stage.getAttribute("height"));
  const legend = savedLegend(context, shade, stageHeight);
  const width = stageWidth + 2 * MARGIN + legend.width;
  const isMap = shownOf(scene, store.state) === "map";
  const room = width - 2 * MARGIN;
  const lights = savedLights(
    isMap && !bare ? lightsOf(scene.maps[map].honesty) : [],
    shade,
    room,
  );
  const linesIn = (font: typeof PLAIN, ...texts: readonly string[]) =>
    bare ? [] : texts.flatMap((text) => linesOf(text, room, font));
  const title = linesIn(TITLE, titleOf(scene, store.state));
  const subtitle = linesIn(PLAIN, scene.subtitle);
  const lines = linesIn(PLAIN, ...words);
  const head = bare
    ? MARGIN
    : MARGIN / 2 + LINE * (title.length + subtitle.length) + GAP;
  const top = head + Math.max(stageHeight, legend.height) + 4;
  const foot = top + lights.height;
  const height = foot + MARGIN + lines.length * LINE;
  const page = drawing(width, height, {
    xmlns: "http://www.w3.org/2000/svg",
    "font-family": FONT,
    "font-size": 12,
    fill: ink,
    color: ink,
  });
  stage.setAttribute("x", String(MARGIN));
  stage.setAttribute("y", String(head));
  lights.el.setAttribute("transform", `translate(${MARGIN} ${top})`);
  legend.el.setAttribute("transform", `translate(${stageWidth + 2 * MARGIN} ${head})`);
  const below = (start: number, texts: readonly string[], look: Attributes) =>
    texts.map((text, k) =>
      svg("text", { x: MARGIN, y: start + LINE * (k + 1), ...look }, text),
    );
  page.append(
    svg("rect", { width, height, fill: paper }),
    ...below(MARGIN / 2, title, { "font-size": TITLE.size, "font-weight": 600 }),
    ...below(MARGIN / 2 + LINE * title.length, subtitle, { opacity: 0.7 }),
    stage,
    legend.el,
    lights.el,
    ...below(foot, lines, { opacity: 0.75 }),
  );
  return page;
}
