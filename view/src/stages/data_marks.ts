/** Marks above the points on the data level: names, rings, links, prototypes, arrows. */

import { TONES } from "../color/colors";
import { paintIn } from "../color/looks";
import { CHOSEN, PLAIN } from "../color/points";
import { shadeOf } from "../color/theme";
import type { Context } from "../context";
import type { Box, Point } from "../geometry/plane";
import { placeOf } from "../geometry/plane";
import { Layer } from "../map/layer";
import { ArrowMarks, BorderMark } from "../map/marks/arrow_marks";
import { roomOf } from "../map/marks/label_places";
import { type Anchor, labelRoom } from "../map/marks/labels";
import { drawMarks, labelsOn, NAME_FONT, ringRadius } from "../map/marks/overlay";
import {
  type Links,
  linkedPoints,
  linksOf,
  type PointMark,
  type PointMarks,
  pointMarks,
  suspectRings,
} from "../map/marks/point_marks";
import { type PrototypeMark, PrototypeMarks } from "../map/marks/prototype_marks";
import type { lookOf } from "../map/painting/appearance";
import { bentLine, type Projection } from "../map/projection";
import { STAGE } from "../messages";
import {
  densityOf,
  densityOnStage,
  drawDensity,
  FEWEST_POINTS,
} from "../regions/density";
import { borderOnMap } from "../scene/explanation";
import { heldOut, ringed, undecided } from "../scene/marked_points";
import { classTitle, inWords } from "../scene/names";
import { positionIn } from "../scene/scene";
import type { State } from "../state";
import { svg } from "../ui/elements";
import { AxesCross, type Solid } from "./solid";
import { Tooltip } from "./tooltip";

/** More holes would slow down a map that is moved. */
const MOST_MOVING = 5000;
const NO_POINTS = new Uint32Array();

/** The points below the marks, at their current positions. */
export interface Ground {
  readonly positions: Float32Array;
  readonly states: Uint8Array;
  /** The size of the points of each state. */
  readonly sizes: ReturnType<typeof lookOf>["sizes"];
  readonly frame: Box;
  /** Names of the classes that are shown. */
  readonly anchors: readonly Anchor[];
  /** The line that the user is drawing. */
  readonly path: readonly Point[];
  /** A 3-D map with its current rotation. */
  readonly solid: Solid | null;
  /** Whether the map is still being fitted. */
  readonly isForming: boolean;
  readonly isMoving: boolean;
}

export class DataMarks {
  readonly #layer = new Layer("ls-marks");
  readonly #prototypes: PrototypeMarks;
  readonly #arrows: ArrowMarks;
  readonly #axes = new AxesCross();
  readonly #border: MapBorder;
  readonly #tooltip: Tooltip;

  constructor(private readonly context: Context) {
    this.#prototypes = new PrototypeMarks(context);
    this.#arrows = new ArrowMarks(context);
    this.#border = new MapBorder(context);
    this.#tooltip = new Tooltip(context.scene);
  }

  /** The layers, from bottom to top. */
  get layers(): Element[] {
    const { canvas } = this.#layer;
    return [
      canvas,
      this.#prototypes.el,
      this.#arrows.el,
      this.#axes.el,
      this.#border.el,
    ];
  }

  /** The tooltip above all layers. */
  get tooltip(): Element {
    return this.#tooltip.el;
  }

  draw(projection: Projection, state: State, ground: Ground): void {
    const context = this.#layer.context(projection.size);
    const all = this.#marksOf(projection, state, ground);
    const { marks } = all;
    if (context) {
      const labels = labelsOn(context, projection, ground.anchors, marks);
      drawDensity(context, all.density, TONES[shadeOf(state.theme)].ink);
      drawMarks(context, {
        ...this.#others(state, ground),
        ...all,
        projection,
        labels,
      });
      context.font = NAME_FONT;
      const widthOf = (text: string) => context.measureText(text).width;
      this.#arrows.draw(projection, state.arrows && !ground.isForming, widthOf, [
        ...labels.map(({ text, x, y }) => labelRoom(x, y, widthOf(text))),
        ...marks.map(({ at: [x, y], radius }) => roomOf(x, y, radius)),
      ]);
    }
    this.#prototypes.draw(marks, state);
    this.#border.draw(projection, ground.positions, ground.isForming);
    this.#axes.draw(ground.solid && state.turn, projection.size.height);
    const { hover } = state;
    const at = hover === null ? null : placeOf(ground.positions, hover);
    this.#tooltip.show(hover, at && projection.screen(at), state.map);
  }

  /** The marks for a saved picture. */
  picture(projection: Projection, state: State, ground: Ground) {
    return {
      anchors: ground.anchors,
      prototypes: this.#prototypes.el,
      arrows: this.#arrows.el,
      axes: this.#axes.el,
      border: this.#border.el,
      ...this.#marksOf(projection, state, ground),
    };
  }

  #marksOf(projection: Projection, state: State, ground: Ground) {
    return {
      ...this.#pointMarks(projection, state, ground),
      links: this.links(projection, state, ground),
      marks: this.#prototypeMarks(projection, state, ground),
      suspects: this.#suspectRings(projection, state, ground),
      density: this.#density(projection, state, ground),
    };
  }

  /** Lines from the point to its neighbors that are not hidden. */
  links(projection: Projection, state: State, ground: Ground): Links {
    const { scene } = this.context;
    const linked = ground.isForming ? [] : linkedPoints(scene, state, ground.states);
    const radius = ringRadius(this.#others(state, ground).pointSize);
    return linksOf(projection, ground.positions, linked, radius);
  }

  destroy(): void {
    this.#tooltip.destroy();
  }

  /** Lines of equal density on the stage; none if switched off, or for few points. */
  #density(projection: Projection, { density }: State, ground: Ground) {
    const isShown = density && !ground.isForming && !ground.solid;
    return isShown && this.context.scene.n_points > FEWEST_POINTS
      ? densityOnStage(densityOf(ground.positions), projection)
      : [];
  }

  /** The marks of the prototypes; none while the map is being fitted. */
  #prototypeMarks(
    projection: Projection,
    state: State,
    { isForming, frame, sizes, solid }: Ground,
  ): PrototypeMark[] {
    if (isForming) {
      return [];
    }
    const { scale } = projection.camera;
    const map = {
      width: (frame.x1 - frame.x0) * scale,
      height: (frame.y1 - frame.y0) * scale,
    };
    const places = solid?.prototypes();
    return this.#prototypes.shown(projection, state, map, sizes[PLAIN], places);
  }

  /** Holes and rings; none during a fit, and a limited number while the map is moved. */
  #pointMarks(
    projection: Projection,
    { map, regions }: State,
    { positions, states, sizes, isForming, isMoving }: Ground,
  ): PointMarks {
    const { scene } = this.context;
    const held = heldOut(scene);
    const isLate = isMoving && held.length > MOST_MOVING;
    return pointMarks({
      projection,
      positions,
      states,
      sizes,
      heldOut: isForming || isLate ? NO_POINTS : held,
      contradictions: !isForming && regions ? ringed(scene.maps[map]) : NO_POINTS,
    });
  }

  /** Rings around points whose label looks wrong, until they are reviewed. */
  #suspectRings(
    projection: Projection,
    state: State,
    { positions, states, sizes, isForming, isMoving }: Ground,
  ): PointMark[] {
    const suspects = undecided(this.context.scene, state);
    const isLate = isMoving && suspects.length > MOST_MOVING;
    return isForming || isLate
      ? []
      : suspectRings({ projection, positions, states, sizes }, suspects);
  }

  #others({ theme, selection, hover }: State, ground: Ground) {
    const { positions, states, sizes, path } = ground;
    return {
      shade: shadeOf(theme),
      positions,
      states,
      selection,
      hover,
      scene: this.context.scene,
      pointSize: sizes[selection.length > 0 ? CHOSEN : PLAIN],
      path,
    };
  }
}

// The nearest point of the class border on the map, for the open point.

export class MapBorder {
  readonly el = svg("svg.ls-layer.ls-borders");
  readonly #mark = new BorderMark();

  constructor(private readonly context: Context) {
    this.el.append(this.#mark.el);
  }

  /** Draw it while the page of a point is open, but not while the map is being fitted. */
  draw(projection: Projection, positions: Float32Array, isForming: boolean): void {
    const { scene, store } = this.context;
    const { object, tab, map } = store.state;
    const isShown = object !== null && tab === "object" && !isForming;
    const to = isShown ? borderOnMap(scene, map, object) : null;
    const explained = scene.model?.explanations;
    if (!to || !explained || object === null) {
      this.#mark.hide();
      return;
    }
    const index =
      explained.change_classes.data[positionIn(explained.objects.data, object)];
    const from = placeOf(positions, object);
    this.#mark.draw(
      [...bentLine(projection, from, to), projection.screen(to)],
      paintIn(scene, index),
      STAGE.border(inWords(classTitle(scene, index))),
    );
  }
}
