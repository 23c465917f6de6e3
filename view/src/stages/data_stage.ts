/** The data level: all points on one of the maps. */

import {
  type Coloring,
  coloring,
  grouping,
  marksOf,
  showsClasses,
  statesOf,
} from "../color/coloring";
import { COLORS } from "../color/colors";
import type { Points } from "../color/points";
import { duration, shadeOf } from "../color/theme";
import type { Context, Stage } from "../context";
import { bounds, type Point, placeOf } from "../geometry/plane";
import { FIRST_TURN } from "../geometry/space";
import { CameraControl, cameraFor } from "../map/camera";
import { DiscFocus } from "../map/disc_focus";
import { Layer } from "../map/layer";
import { type Anchor, anchors } from "../map/marks/labels";
import { linkedPoints } from "../map/marks/point_marks";
import { lookOf, type Painter, zoomOf } from "../map/painting/appearance";
import { choosePainter } from "../map/painting/painter";
import type { Pickable } from "../map/picking";
import { STAGE } from "../messages";
import { RegionsPicture, type Strength } from "../regions/regions";
import { relabeled } from "../scene/marked_points";
import { areLinked, areOther, type Disc, LOOKS, type State } from "../state";
import { notice } from "../ui/elements";
import { DataMarks, type Ground } from "./data_marks";
import { drawing } from "./data_picture";
import { FurtherOut } from "./further_out";
import { MapInput } from "./map_input";
import { MapPlaces } from "./map_places";

/** Above this zoom, there are no class names on the map. */
const MOST_NAMED = 12;
const TRAVEL = 700;
/** The largest zoom when the map moves to a point of a search. */
const CLOSEST = 4;

export class DataStage implements Stage {
  readonly #el: HTMLElement;
  readonly #context: Context;
  readonly #painter: Painter;
  readonly #regionsLayer = new Layer("ls-regions");
  readonly #marks: DataMarks;
  readonly #furtherOut = new FurtherOut((all) => this.#frameAll(all));
  readonly #observer: ResizeObserver;
  readonly #input: MapInput;
  readonly cameraControl = new CameraControl((moving) => this.#look(moving));
  readonly discFocus: DiscFocus;
  readonly places: MapPlaces;

  #coloring: Coloring;
  #states: Uint8Array;
  #anchors: Anchor[] = [];
  #regions: RegionsPicture | null = null;
  #path: readonly Point[] = [];
  #drawing = 0;
  #moving = false;

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    const hasSolid = scene.maps.some((map) => map.depth);
    const { painter, words } = choosePainter(scene.n_points, {
      shapes: scene.classes.length > COLORS.length,
      depth: hasSolid,
    });
    this.#el = el;
    this.#context = context;
    this.#painter = painter;
    this.places = new MapPlaces(context, this.cameraControl);
    this.discFocus = new DiscFocus(store, this.places);
    this.#marks = new DataMarks(context);
    el.classList.add("ls-data");
    el.tabIndex = 0;
    el.setAttribute("role", "application");
    el.setAttribute("aria-label", STAGE.map);
    const hasSuspects = scene.audit?.suspects.length;
    el.setAttribute(
      "aria-description",
      STAGE.keys +
        (hasSolid ? STAGE.solidKeys : "") +
        (hasSuspects ? STAGE.suspectKeys : ""),
    );
    el.append(
      this.#regionsLayer.canvas,
      painter.canvas,
      ...this.#marks.layers,
      this.#furtherOut.el,
      this.#marks.tooltip,
    );
    if (words) {
      el.append(notice(words));
    }
    const { state } = store;
    this.#coloring = this.#colored(state);
    this.#states = statesOf(scene, state, this.#coloring.quiet);
    this.#settle(state);
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(el);
    this.#input = new MapInput(el, context, this);
    this.#resize();
    this.#show(0);
  }

  update(state: State, before: State): void {
    const changed = (...names: (keyof State)[]) => areOther(names, state, before);
    if (changed("map", "colorBy", "theme", "decisions")) {
      this.#coloring = this.#colored(state);
    }
    if (changed("map", ...LOOKS)) {
      this.#states = statesOf(this.#context.scene, state, this.#coloring.quiet);
    }
    if (changed("map")) {
      this.places.settle();
      this.#settle(state);
    } else if (changed("theme")) {
      this.#paintRegions(state);
    } else if (changed("colorBy")) {
      this.#name(state);
    }
    if (changed("map") && this.places.disc) {
      // A focus is valid for one map only; another map starts at its own middle.
      this.#context.store.set({ disc: this.discFocus.usual() });
      return;
    }
    const switched = (state.disc === null) !== (before.disc === null);
    if (changed("map") || switched) {
      this.#project();
      this.cameraControl.fly(this.places.home(), 0);
      this.#show(duration(TRAVEL));
    } else if (this.places.solid && changed("turn")) {
      this.places.turn();
      this.#name(state);
      this.#show(0);
    } else if (changed("disc")) {
      this.#project();
      this.#show(0);
    } else if (changed("decisions", "regions", ...LOOKS)) {
      this.#show(0);
    }
    if (changed("selection") && state.selection.length === 1) {
      this.#bring(state.selection[0]);
    }
    if (areLinked(state) && (!areLinked(before) || changed("object", "neighborsBy"))) {
      this.#bringNeighbors(state);
    }
    this.#el.dataset.tool = state.tool;
    this.#drawSoon();
  }

  /** Show a map during its fit; null shows the map of the scene again. */
  form(positions: Float32Array | null): void {
    if (this.places.form(positions)) {
      this.#settle(this.#context.store.state);
      this.cameraControl.set(this.places.home());
      this.#show(0);
    }
  }

  /** Bring some points into view. */
  goTo(points: Uint32Array): void {
    const positions = this.places.places();
    if (points.length === 0) {
      return;
    }
    if (this.places.disc) {
      this.discFocus.fly(placeOf(positions, points[0]));
      return;
    }
    const places = new Float32Array(2 * points.length);
    points.forEach((point, k) => {
      places.set(placeOf(positions, point), 2 * k);
    });
    const target = cameraFor(bounds(places), this.cameraControl.size, 80);
    const scale = Math.min(target.scale, CLOSEST * this.places.home().scale);
    this.cameraControl.fly({ ...target, scale }, duration(TRAVEL));
  }

  /** The current view as a drawing, to be saved. */
  drawing(vector: boolean): Promise<SVGSVGElement> {
    const { state } = this.#context.store;
    const projection = this.places.projection();
    return drawing(
      {
        projection,
        points: this.#points(),
        painter: this.#painter,
        regions: state.regions ? this.#regions : null,
        strength: this.#strength(state),
        shade: shadeOf(state.theme),
        scene: this.#context.scene,
        ...this.#marks.picture(projection, state, this.#below(state)),
      },
      vector,
    );
  }

  /** Show the map as at first. */
  goHome(): void {
    if (this.places.solid) {
      this.#context.store.set({ turn: FIRST_TURN });
    }
    this.discFocus.goHome();
    this.#frameAll(false);
  }

  usualDisc(): Disc {
    return this.discFocus.usual();
  }

  /** Show all points, or the part that is shown first. */
  #frameAll(all: boolean): void {
    const camera = all ? this.places.whole() : this.places.home();
    this.cameraControl.fly(camera, duration(TRAVEL / 2));
  }

  destroy(): void {
    this.#input.destroy();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#drawing);
    this.cameraControl.destroy();
    this.discFocus.destroy();
    this.#marks.destroy();
    this.#painter.destroy();
    this.#el.replaceChildren();
  }

  #colored(state: State): Coloring {
    const { map, colorBy, theme } = state;
    const scene = relabeled(this.#context.scene, state);
    return coloring(scene, map, colorBy, shadeOf(theme));
  }

  /** If a selected point is outside the stage, move the map; in the disc, move it to the middle. */
  #bring(point: number): void {
    const projection = this.places.projection();
    const place = placeOf(this.places.places(), point);
    if (projection.disc) {
      this.discFocus.fly(place);
    } else if (!projection.isOn(projection.screen(place))) {
      const { camera } = this.cameraControl;
      this.cameraControl.fly({ ...camera, x: place[0], y: place[1] }, duration(TRAVEL));
    }
  }

  /** Move the map if neighbors of the point are outside the stage. */
  #bringNeighbors(state: State): void {
    const projection = this.places.projection();
    const links = this.#marks.links(projection, state, this.#below(state));
    if (!projection.disc && !links.rings.every(({ at }) => projection.isOn(at))) {
      const points = linkedPoints(this.#context.scene, state, this.#states);
      this.goTo(Uint32Array.from(points));
    }
  }

  /** Prepare the class names and regions of a map. */
  #settle(state: State): void {
    this.#name(state);
    this.#paintRegions(state);
    this.#furtherOut.tell(this.places.nOutside);
  }

  #name({ colorBy }: State): void {
    const { scene } = this.#context;
    const classes = grouping(scene, colorBy);
    const { solid } = this.places;
    this.#anchors = classes
      ? (solid?.anchors(classes, scene.classes) ??
        anchors(this.places.places(), classes, scene.classes))
      : [];
  }

  #paintRegions({ map, theme }: State): void {
    const { scene } = this.#context;
    const regions = this.places.isForming ? null : scene.maps[map].regions;
    this.#regions = regions ? new RegionsPicture(regions, scene, shadeOf(theme)) : null;
  }

  /** Compute the shown positions: flat, or in the disc. */
  #project(): void {
    this.places.project();
    this.#furtherOut.tell(this.places.nOutside);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#el;
    const { size } = this.cameraControl;
    if (width === size.width && height === size.height) {
      return;
    }
    const isFirst = size.width === 0;
    const before = isFirst ? null : this.places.home().scale;
    this.cameraControl.size = { width, height };
    const home = this.places.home();
    const { camera } = this.cameraControl;
    this.cameraControl.set(
      before === null
        ? home
        : { ...camera, scale: (camera.scale * home.scale) / before },
    );
  }

  #points(): Points {
    const { state } = this.#context.store;
    const isFilled = this.#strength(state) !== "borders";
    const onRegions = state.regions && this.#regions !== null && isFilled;
    return {
      ...marksOf(this.#coloring, this.#states.length, onRegions),
      positions: this.places.shown,
      codes: this.#coloring.codes,
      states: this.#states,
      shapes: this.#coloring.shapes,
      quietPalette: this.#coloring.quietPalette,
      frame: this.places.frame,
      depth: this.places.solid?.depths(shadeOf(state.theme)) ?? null,
    };
  }

  #show(milliseconds: number): void {
    this.#painter.show(this.#points(), milliseconds);
  }

  #look(moving: boolean): void {
    this.#moving = moving;
    this.#painter.look(this.cameraControl.camera, this.cameraControl.size, moving);
    this.#furtherOut.see(this.cameraControl.camera, this.places.whole());
    this.#drawSoon();
  }

  /** Draw everything except the points in the next frame. */
  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => {
      const { state } = this.#context.store;
      const projection = this.places.projection();
      const regions = this.#regionsLayer.context(projection.size);
      const strength = this.#strength(state);
      if (regions && state.regions) {
        this.#regions?.draw(regions, projection, devicePixelRatio, strength);
      }
      this.#marks.draw(projection, state, this.#below(state));
    });
  }

  /** The points below the marks. */
  #below({ hiddenClasses }: State): Ground {
    const { camera, size } = this.cameraControl;
    const zoom = zoomOf(camera, size, this.places.frame);
    // At a large zoom, a name could refer to points that are not visible.
    const named = zoom > MOST_NAMED ? [] : this.#anchors;
    return {
      positions: this.places.places(),
      states: this.#states,
      sizes: lookOf(this.#states.length, zoom).sizes,
      frame: this.places.frame,
      anchors: named.filter(({ index }) => !hiddenClasses.has(index)),
      path: this.#path,
      solid: this.places.solid,
      isForming: this.places.isForming,
      isMoving: this.#moving,
    };
  }

  /** Regions are paler if colors do not mean classes, or if points are selected. */
  #strength({ map, colorBy, selection }: State): Strength {
    const isPale = selection.length > 0 || this.#coloring.quiet !== null;
    const isByClass = showsClasses(this.#context.scene, map, colorBy);
    return !isByClass ? "borders" : isPale ? "pale" : "full";
  }

  /** The points, for picking. */
  pickable(): Pickable {
    const { grid, shown } = this.places;
    return { grid, shown, states: this.#states };
  }

  /** Show the line that the user is drawing. */
  showPath(path: readonly Point[]): void {
    this.#path = path;
    this.#drawSoon();
  }
}
