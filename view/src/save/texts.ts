/** Texts of saved pictures, on lines that end inside the picture. */

import { wrapped } from "../format";
import { FONT } from "../map/marks/overlay";
import { type Attributes, svg } from "../ui/elements";

interface Font {
  readonly size: number;
  readonly weight: number;
}

/** The text of a saved picture. */
export const PLAIN: Font = { size: 12, weight: 400 };
export const BOLD: Font = { size: 12, weight: 600 };
/** Another program may show a drawing in another font, whose letters are wider. */
const WIDER = 1.1;
/** Approximate width of a letter, relative to its height, if nothing can be measured. */
const LETTER = 0.6;

let canvas: CanvasRenderingContext2D | null | undefined;

/** A function that measures texts in pixels. */
function measured({ size, weight }: Font): (text: string) => number {
  canvas ??= document.createElement("canvas").getContext("2d");
  const context = canvas;
  if (!context) {
    return (text) => WIDER * LETTER * size * text.length;
  }
  context.font = `${weight} ${size}px ${FONT}`;
  return (text) => WIDER * context.measureText(text).width;
}

/** A text on lines of a given width. */
export function linesOf(text: string, width: number, font: Font): string[] {
  return wrapped(text, width, measured(font));
}

/** A name on one line, condensed if it is wider than its room. */
export function nameIn(
  room: number,
  name: string,
  attributes: Attributes,
  font = PLAIN,
): SVGTextElement {
  const isWide = measured(font)(name) > room;
  const condensed = isWide
    ? { textLength: room, lengthAdjust: "spacingAndGlyphs" }
    : {};
  const weight = font.weight === PLAIN.weight ? null : font.weight;
  return svg("text", { ...attributes, "font-weight": weight, ...condensed }, name);
}
