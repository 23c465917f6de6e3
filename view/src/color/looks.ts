/** How classes look: a colour of the palette, and a shape where colours repeat. */

import type { Scene } from "../scene/scene";
import { classColor, classPaint, quietPaint, type Shade } from "./colors";
import { shapeOf } from "./shapes";

/** What is asked of a scene here. */
export type Looking = Pick<Scene, "classes" | "looks">;

/** The look of a class, a number: neighbours on the map have different colours. -1 for none. */
export function lookOf({ classes, looks }: Looking, index: number): number {
  return index >= 0 && index < classes.length ? (looks?.data[index] ?? index) : -1;
}

/** The colour of a class of a scene; grey for an index (such as -1) that is none. */
export function colorIn(scene: Looking, index: number, shade: Shade): string {
  return classColor(lookOf(scene, index), scene.classes.length, shade);
}

/** The same, as style sheets know it: it changes with the theme. */
export function paintIn(scene: Looking, index: number): string {
  return classPaint(lookOf(scene, index), scene.classes.length);
}

/** The colour of a class that steps back, as style sheets know it. */
export function quietPaintIn(scene: Looking, index: number): string {
  return quietPaint(lookOf(scene, index), scene.classes.length);
}

/** The shape of a class. */
export function shapeIn(scene: Looking, index: number): number {
  return shapeOf(lookOf(scene, index));
}
