/** Marks above the points: holes, rings, class names, the lasso, and the rim of the disc. */

import { mixed, type Shade, TONES } from "../../color/colors";
import { colorIn, type Looking } from "../../color/looks";
import { HIDDEN } from "../../color/points";
import type { Point } from "../../geometry/plane";
import { placeOf } from "../../geometry/plane";
import { strokeLines } from "../layer";
import type { Projection } from "../projection";
import { type Anchor, besidePrototypes, type Label, placed } from "./labels";
import type { Links, PointMark, PointMarks } from "./point_marks";
import type { PrototypeMark } from "./prototype_marks";

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Font of names on the map. */
export const NAME_FONT = `600 11px ${FONT}`;

/** More rings would hide the points. */
const MOST_RINGS = 40;
/** Gap between a point and its ring, in pixels. */
const GAP = 2.5;

interface Marks extends PointMarks {
  readonly projection: Projection;
  readonly shade: Shade;
  readonly positions: ArrayLike<number>;
  readonly states: Uint8Array;
  readonly selection: Uint32Array;
  readonly hover: number | null;
  readonly labels: readonly Label[];
  readonly suspects: readonly PointMark[];
  /** Lines from a point to its neighbors in the data. */
  readonly links: Links;
  readonly scene: Looking;
  /** Diameter of points, in pixels. */
  readonly pointSize: number;
  /** The line that the user is drawing; empty if there is none. */
  readonly path: readonly Point[];
}

export function drawMarks(context: CanvasRenderingContext2D, marks: Marks): void {
  const { projection, shade, positions, selection, hover } = marks;
  const tones = TONES[shade];
  const strokes = strokesOf(shade);
  const radius = ringRadius(marks.pointSize);
  const at = (point: number) => projection.screen(placeOf(positions, point));
  const rings = (given: readonly PointMark[], style: string, width: number) => {
    for (const { at, radius } of given) {
      ring(context, at, radius, style, width);
    }
  };
  if (projection.disc) {
    const { width, height } = projection.size;
    ring(context, [width / 2, height / 2], projection.camera.scale, tones.quiet, 1);
  }
  for (const [style, width] of strokes.links) {
    strokeLines(context, marks.links.lines, style, width);
    rings(marks.links.rings, style, width);
  }
  fillHoles(context, marks.holes, tones.paper);
  for (const [style, width] of strokes.contradictions) {
    rings(marks.rings, style, width);
  }
  for (const [style, width, dash] of strokes.suspects) {
    context.setLineDash(dash);
    rings(marks.suspects, style, width);
    context.setLineDash([]);
  }
  const shown = selection.length > MOST_RINGS ? [] : selection;
  for (const point of shown) {
    if (marks.states[point] !== HIDDEN) {
      ring(context, at(point), radius, tones.ink, 1.5);
    }
  }
  drawLabels(context, marks);
  if (hover !== null) {
    ring(context, at(hover), radius + 1, tones.paper, 4);
    ring(context, at(hover), radius + 1, tones.ink, 2);
  }
  if (marks.path.length > 1) {
    context.setLineDash([5, 4]);
    strokeLines(context, [[...marks.path, marks.path[0]]], tones.accent, 1.5);
    context.setLineDash([]);
    context.fillStyle = `${tones.accent}1F`;
    context.fill();
  }
}

type Stroke = readonly [color: string, width: number, dash: number[]];

/** Styles of rings and lines to neighbors; a halo makes them visible on any color. */
export function strokesOf(shade: Shade) {
  const { paper, warning, ink } = TONES[shade];
  const on = (halo: number, ...stroke: Stroke): Stroke[] => [[paper, halo, []], stroke];
  return {
    links: on(3, ink, 1, []),
    contradictions: on(3, warning, 1.25, []),
    suspects: on(4, warning, 2, [4, 2]),
  };
}

/** The radius of the ring around a point. */
export function ringRadius(pointSize: number): number {
  return pointSize / 2 + GAP;
}

function fillHoles(
  context: CanvasRenderingContext2D,
  holes: readonly PointMark[],
  style: string,
): void {
  context.beginPath();
  for (const { at, radius } of holes) {
    context.moveTo(at[0] + radius, at[1]);
    context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  }
  context.fillStyle = style;
  context.fill();
}

/** Class names that fit on the stage; beside prototypes, if these are marked. */
export function labelsOn(
  context: CanvasRenderingContext2D,
  projection: Projection,
  anchors: readonly Anchor[],
  prototypes: readonly PrototypeMark[],
): Label[] {
  context.font = NAME_FONT;
  const { width, height } = projection.size;
  const wanted = anchors
    .map(({ index, text, place }) => ({ index, text, at: projection.screen(place) }))
    .filter(({ at: [x, y] }) => x > 0 && y > 10 && x < width && y < height);
  const widthOf = (text: string) => context.measureText(text).width;
  return prototypes.length > 0
    ? besidePrototypes(wanted, prototypes, widthOf, projection.size)
    : placed(wanted, widthOf, width);
}

/** The color of a class name: that of its class, made readable. */
export function labelColor(scene: Looking, index: number, shade: Shade): string {
  return mixed(colorIn(scene, index, shade), TONES[shade].ink, 0.45);
}

function drawLabels(
  context: CanvasRenderingContext2D,
  { labels, shade, scene }: Marks,
): void {
  context.font = NAME_FONT;
  context.textAlign = "center";
  context.lineJoin = "round";
  for (const { index, text, x, y } of labels) {
    context.strokeStyle = TONES[shade].paper;
    context.lineWidth = 3.5;
    context.strokeText(text, x, y + 4);
    context.fillStyle = labelColor(scene, index, shade);
    context.fillText(text, x, y + 4);
  }
}

function ring(
  context: CanvasRenderingContext2D,
  [x, y]: Point,
  radius: number,
  style: string,
  width: number,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.strokeStyle = style;
  context.lineWidth = width;
  context.stroke();
}
