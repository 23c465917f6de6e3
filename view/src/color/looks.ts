/** Looks of classes: a color of the palette, and a shape if colors repeat. */

import palette from "../../../src/labelscape/plotting/palette.json";
import { inPolygon, type Point } from "../geometry/plane";
import type { Scene } from "../scene/scene";
import { COLORS, classColor, classPaint, type Shade } from "./colors";

/** The parts of a scene that are used here. */
export type Looking = Pick<Scene, "classes" | "looks">;

/** The look of a class as a number; neighbors on the map have different colors. -1 for none. */
export function lookOf({ classes, looks }: Looking, index: number): number {
  return index >= 0 && index < classes.length ? (looks?.data[index] ?? index) : -1;
}

/** The color of a class in a scene; gray for an index without a class (such as -1). */
export function colorIn(scene: Looking, index: number, shade: Shade): string {
  return classColor(lookOf(scene, index), scene.classes.length, shade);
}

/** The CSS color of a class, which changes with the theme. */
export function paintIn(
  scene: Looking,
  index: number,
  tone: "" | "-quiet" = "",
): string {
  return classPaint(lookOf(scene, index), scene.classes.length, tone);
}

/** The shape of a class. */
export function shapeIn(scene: Looking, index: number): number {
  return shapeOf(lookOf(scene, index));
}

// Shapes of classes: when colors repeat, the next shape distinguishes classes.

/** Shapes in order: discs for the first twelve classes, then the next shape for each twelve. */
export const SHAPES: readonly string[] = palette.shapes;

/** The number of distinct looks. */
export const LOOKS = COLORS.length * SHAPES.length;

/** The index of a class's shape; discs for points without a class. */
export function shapeOf(index: number): number {
  return index < 0 ? 0 : Math.floor(index / COLORS.length) % SHAPES.length;
}

const PLUS: readonly Point[] = [
  [-0.4, -1.15],
  [0.4, -1.15],
  [0.4, -0.4],
  [1.15, -0.4],
  [1.15, 0.4],
  [0.4, 0.4],
  [0.4, 1.15],
  [-0.4, 1.15],
  [-0.4, 0.4],
  [-1.15, 0.4],
  [-1.15, -0.4],
  [-0.4, -0.4],
];

/** Corners of each shape, with about the area of a disc of radius 1; y points down. */
const CORNERS: Readonly<Record<string, readonly Point[]>> = {
  square: polygon(4, 1.25, 45),
  triangle: polygon(3, 1.4, 0),
  diamond: polygon(4, 1.25, 0),
  "triangle down": polygon(3, 1.4, 180),
  plus: PLUS,
  cross: PLUS.map((point) => turned(point, 45)),
  star: polygon(10, 1.4, 0).map(([x, y], k) =>
    k % 2 === 0 ? [x, y] : [0.45 * x, 0.45 * y],
  ),
  "triangle left": polygon(3, 1.4, -90),
  "triangle right": polygon(3, 1.4, 90),
};

/** The largest distance of a corner from the middle. */
const REACH = 1.4;

/** The largest distance of a shape from its middle, for a radius. */
export function reachOf(shape: number, radius: number): number {
  return shape === 0 ? radius : REACH * radius;
}

/** The distance of a place from a shape around the origin; negative inside. */
export function outside(shape: number, radius: number, x: number, y: number): number {
  const corners = cornersOf(shape);
  if (!corners) {
    return Math.hypot(x, y) - radius;
  }
  const [px, py] = [x / radius, y / radius];
  let least = Infinity;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    const [dx, dy] = [bx - ax, by - ay];
    const along = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy);
    const t = Math.min(Math.max(along, 0), 1);
    least = Math.min(least, Math.hypot(px - ax - t * dx, py - ay - t * dy));
  });
  return radius * (inPolygon(px, py, corners) ? -least : least);
}

/** The corners of a shape on the page; null for discs. */
export function shapeOn(shape: number, [x, y]: Point, radius: number): string | null {
  const at = ([dx, dy]: Point) =>
    `${(x + radius * dx).toFixed(1)},${(y + radius * dy).toFixed(1)}`;
  return cornersOf(shape)?.map(at).join(" ") ?? null;
}

/** A shape as a CSS clip path of a square. */
export function clipOf(shape: number): string {
  const part = (value: number) => `${(50 + (50 / REACH) * value).toFixed(1)}%`;
  const corners = cornersOf(shape)?.map(([x, y]) => `${part(x)} ${part(y)}`);
  return corners ? `polygon(${corners.join(", ")})` : "";
}

function cornersOf(shape: number): readonly Point[] | null {
  return CORNERS[SHAPES[shape]] ?? null;
}

function polygon(n: number, radius: number, degrees: number): Point[] {
  return Array.from({ length: n }, (_, k) =>
    turned([0, -radius], degrees + (360 * k) / n),
  );
}

function turned([x, y]: Point, degrees: number): Point {
  const t = (Math.PI * degrees) / 180;
  return [x * Math.cos(t) - y * Math.sin(t), x * Math.sin(t) + y * Math.cos(t)];
}
