/** The object level: one point, and the nearest prototype of each class around it. */

import { paintIn, shapeIn } from "../color/looks";
import type { Context } from "../context";
import { number } from "../format";
import { linePath, type Point } from "../geometry/plane";
import type { Camera, Size } from "../map/camera";
import { BorderMark } from "../map/marks/arrow_marks";
import { CLASSES, ONE_POINT, STAGE } from "../messages";
import { ExplanationSource } from "../scene/explanation";
import { betweenPrototypes, type NearClass, nearestClasses } from "../scene/metric";
import {
  classOf,
  classTitle,
  distanceName,
  inWords,
  objectId,
  prototypeName,
  shortened,
} from "../scene/names";
import type { SceneModel } from "../scene/scene";
import { type State, togglePrototype } from "../state";
import { html, svg } from "../ui/elements";
import { clickable, diamond, moveTo, shapeMark } from "../ui/marks";
import {
  borderPlace,
  evenLayout,
  type ObjectLayout,
  objectLayout,
  sideLabels,
} from "./object_layout";
import { SvgStage } from "./svg_stage";

/** The number of classes with a circle and a name; others have only a tooltip. */
const NAMED = 12;
const LABEL_HEIGHT = 36;
const MARGIN = 32;
const FOOT = 40;
const LONGEST_NAME = 20;
const LETTER = 8;
const ELBOW = 16;
const RADIUS = 9;
/** With more classes, marks are smaller. */
const ROOMY = 16;
/** Maximum number of times the picture is made smaller to keep marks off the labels. */
const MOST_STEPS = 40;
/** The point is the middle of the picture. */
const OBJECT: Point = [0, 0];

/** The drawing of one class. */
interface Around extends NearClass {
  readonly place: Point;
  readonly mark: SVGGElement;
  readonly named: Named | null;
}

interface Named {
  readonly spoke: SVGPathElement;
  readonly circle: SVGCircleElement;
  readonly leader: SVGPathElement;
  readonly label: SVGGElement;
  readonly name: string;
}

export class ObjectStage extends SvgStage {
  readonly #words: HTMLElement;
  #around: Around[] = [];
  #center: SVGGElement | null = null;
  #extent = 1;
  readonly #border = new BorderMark();
  readonly #answers: ExplanationSource;
  /** The nearest point of the border, and the class behind it. */
  #beyond: { readonly place: Point; readonly index: number } | null = null;

  constructor(el: HTMLElement, context: Context) {
    super(el, context, {
      name: "object",
      label: ONE_POINT.label,
      places: () => this.#around.flatMap(({ place }) => place),
      base: OBJECT,
      sideRoom,
      fitted: (size) => this.#fitted(size),
      draw: () => this.#draw(),
    });
    this.#answers = new ExplanationSource(context, () => this.#findBorder());
    this.#words = html("p.ls-stage-words");
    this.root.append(this.#words);
    this.#open(context.store.state);
  }

  override update(state: State, before: State): void {
    super.update(state, before);
    if (state.object !== before.object) {
      this.#open(state);
      if (state.disc) {
        // A focus is valid for one picture only.
        this.context.store.set({ disc: this.usualDisc() });
      }
    }
    this.#show(state);
  }

  override destroy(): void {
    this.#answers.destroy();
    super.destroy();
  }

  /** Build the picture of a point. */
  #open(state: State): void {
    const { scene } = this.context;
    const { model } = scene;
    const { object } = state;
    const canShow = model?.class_distances != null && model.class_nearest != null;
    this.svg.replaceChildren();
    this.root.classList.toggle("ls-empty", object === null || !canShow);
    this.#words.textContent = canShow ? ONE_POINT.howToSelect : ONE_POINT.noDistances;
    this.#around = [];
    this.#center = null;
    if (model === null || object === null || !canShow) {
      return;
    }
    const classes = nearestClasses(model, object);
    const { places } = layoutOf(model, classes);
    this.#extent = extentOf(classes);
    this.#around = classes.map((near, rank) =>
      this.#aroundOf(model, near, places[rank], rank),
    );
    this.#center = this.#objectMark(object);
    const named = this.#around.flatMap((one) => one.named ?? []);

    this.svg.append(
      svg("g.ls-circles", ...named.map(({ circle }) => circle).reverse()),
      svg("g.ls-spokes", ...named.map(({ spoke }) => spoke).reverse()),
      svg("g.ls-leaders", ...named.map(({ leader }) => leader)),
      svg("g.ls-side-labels", ...named.map(({ label }) => label)),
      svg("g.ls-prototype-marks", ...this.#around.map(({ mark }) => mark).reverse()),
      this.#center,
      // Above the point, because the border may be very near.
      this.#border.el,
    );
    this.#show(state);
    this.#findBorder();
    this.reset();
  }

  /** The border at the end of the smallest change; drawn when the change is known. */
  #findBorder(): void {
    const { scene, store } = this.context;
    const { object } = store.state;
    this.#beyond = null;
    const answer =
      scene.model && object !== null && this.#center !== null
        ? this.#answers.of(scene.model, object)
        : null;
    if (scene.model && object !== null && answer?.state === "answered") {
      const { change, change_class, change_distance } = answer.explanation;
      const isThere = change_distance !== null && change_class in scene.classes;
      const place = isThere
        ? borderPlace(scene, scene.model, object, change, this.#around)
        : null;
      this.#beyond = place && { place, index: change_class };
    }
    this.#drawBorder();
  }

  #drawBorder(): void {
    const { scene } = this.context;
    if (this.#beyond === null) {
      this.#border.hide();
      return;
    }
    const { place, index } = this.#beyond;
    this.#border.draw(
      this.line(OBJECT, place),
      paintIn(scene, index),
      STAGE.border(inWords(classTitle(scene, index))),
    );
  }

  #aroundOf(model: SceneModel, near: NearClass, place: Point, rank: number): Around {
    const { scene, store } = this.context;
    const { index, prototype, distance } = near;
    const name = prototypeName(scene, model, prototype);
    const color = paintIn(scene, index);
    const isNearest = rank === 0 ? " ls-nearest" : "";
    const radius = scene.classes.length > ROOMY ? RADIUS - 3 : RADIUS;
    const words = ONE_POINT.prototype(name, distanceName(model), distance);
    const mark = clickable(
      () => {
        togglePrototype(store, prototype);
        this.focusOn(place);
      },
      words,
      {
        class: `ls-prototype${isNearest}`,
        "data-prototype": prototype,
        "data-class": index,
        "data-value": distance,
      },
      svg("title", words),
      diamond(radius + (rank === 0 ? 3 : 0), color),
    );
    const style = `stroke: ${rank === 0 ? color : "var(--ls-frame)"}`;
    const label = svg(
      "g",
      { class: `ls-side-label${isNearest}`, "data-class": index },
      svg("title", name),
      svg("text.ls-mark-label"),
      svg("text.ls-value", { y: 16 }, number(distance)),
    );
    const named =
      rank >= NAMED
        ? null
        : {
            spoke: svg("path", { class: `ls-spoke${isNearest}`, style }),
            circle: svg("circle", { class: `ls-circle${isNearest}`, style }),
            leader: svg("path.ls-leader"),
            label,
            name,
          };
    return { ...near, place, mark, named };
  }

  #objectMark(object: number): SVGGElement {
    const { scene } = this.context;
    const codes = scene.labels ?? scene.predictions;
    const own = codes === null ? -1 : classOf(codes, object);
    const id = objectId(scene, object);
    const name = shortened(id, LONGEST_NAME);
    return svg(
      "g.ls-center",
      { role: "img", "aria-label": CLASSES.point(id), "data-object": object },
      svg("title", id),
      shapeMark(shapeIn(scene, own), OBJECT, 7, { fill: paintIn(scene, own) }),
      svg("text.ls-mark-label", { y: 24, "text-anchor": "middle" }, name),
    );
  }

  /** Show the selected prototypes and hidden classes. */
  #show({ prototypes, hiddenClasses }: State): void {
    for (const { index, prototype, mark, named } of this.#around) {
      mark.setAttribute("aria-pressed", String(prototypes.includes(prototype)));
      const display = hiddenClasses.has(index) ? "none" : "";
      mark.style.display = display;
      for (const element of named === null ? [] : drawn(named)) {
        element.style.display = display;
      }
    }
  }

  /** The camera that shows all circles, with named prototypes between the labels. */
  #fitted({ width, height }: Size): Camera {
    const xs = [0, ...this.#around.slice(0, NAMED).map(({ place }) => place[0])];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const room = width / 2 - sideRoom(width) - MARGIN / 2;
    let scale = Math.min(
      ((height - FOOT) / 2 - MARGIN) / this.#extent,
      (width / 2 - MARGIN / 2) / this.#extent,
    );
    // Start as wide as the circles allow; make it smaller until no mark is on a label.
    for (let step = 0; ; step++) {
      const most = (width / 2 - MARGIN / 2) / scale - this.#extent;
      const x = Math.min(Math.max((left + right) / 2, -most), most);
      if (Math.max(right - x, x - left) * scale <= room || step === MOST_STEPS) {
        return { x, y: -FOOT / 2 / scale, scale };
      }
      scale *= 0.95;
    }
  }

  #draw(): void {
    const origin = this.screen(OBJECT);
    if (this.#center !== null) {
      moveTo(this.#center, origin);
    }
    const places = this.#around.map(({ place }) => this.screen(place));
    this.#around.forEach(({ mark, named, distance, place }, k) => {
      moveTo(mark, places[k]);
      if (named !== null) {
        named.spoke.setAttribute("d", linePath(this.line(OBJECT, place)));
        this.#drawCircle(named.circle, distance);
      }
    });
    this.#drawBorder();
    if (this.#center !== null) {
      this.#drawLabels(places, origin[0]);
      this.#drawOutside(places);
    }
  }

  /** A circle around the point; in the disc, it is a circle around another middle. */
  #drawCircle(circle: SVGCircleElement, radius: number): void {
    const [fx, fy] = this.context.store.state.disc?.focus ?? OBJECT;
    const far = Math.hypot(fx, fy);
    // Opposite places on the line through the focus remain opposite in the disc.
    const [ux, uy] = far > 0 ? [fx / far, fy / far] : [1, 0];
    const [ax, ay] = this.screen([radius * ux, radius * uy]);
    const [bx, by] = this.screen([-radius * ux, -radius * uy]);
    const r = Math.hypot(ax - bx, ay - by) / 2;
    const round = { cx: (ax + bx) / 2, cy: (ay + by) / 2, r };
    for (const [name, value] of Object.entries(round)) {
      circle.setAttribute(name, value.toFixed(1));
    }
  }

  /** Classes without a name are hidden if they overlap labels; a note reports their number. */
  #drawOutside(places: readonly Point[]): void {
    const { width, height } = this.size;
    const room = sideRoom(width);
    const outside = this.#around.filter(({ mark, named }, k) => {
      const [x, y] = places[k];
      const isInside = x > room && x < width - room && y > 0 && y < height - FOOT;
      mark.style.visibility = named === null && !isInside ? "hidden" : "";
      return named === null && !isInside;
    }).length;
    const { model } = this.context.scene;
    const directions = model?.prototypes.distances.data.length
      ? ONE_POINT.compromise
      : ONE_POINT.noDirections;
    const radii = model?.squared ? ONE_POINT.squares : ONE_POINT.radii;
    const { disc } = this.context.store.state;
    const farther = outside === 0 ? "" : ONE_POINT.farther(outside);
    this.#words.textContent = `${disc ? ONE_POINT.bent : radii} ${directions}${farther}`;
  }

  #drawLabels(places: readonly Point[], middle: number): void {
    const { width, height } = this.size;
    const named = this.#around.slice(0, NAMED).flatMap((one) => one.named ?? []);
    const labels = sideLabels(
      places.slice(0, named.length),
      middle,
      8,
      height - FOOT,
      LABEL_HEIGHT,
    );
    const room = sideRoom(width);
    named.forEach(({ leader, label, name }, k) => {
      const { side, y } = labels[k];
      const [px, py] = places[k].map((value) => value.toFixed(1));
      // The line ends in the margin, and the label begins at its end.
      const [end, away] = side === "left" ? [room, -1] : [width - room, 1];
      leader.setAttribute("d", `M${end} ${y.toFixed(1)}h${-away * ELBOW}L${px} ${py}`);
      moveTo(label, [end + away * 8, y - 4]);
      label.setAttribute("text-anchor", side === "left" ? "end" : "start");
      const text = label.querySelector(".ls-mark-label");
      text?.replaceChildren(shortened(name, Math.floor((room - 16) / LETTER)));
    });
  }
}

function drawn({ spoke, circle, leader, label }: Named): SVGElement[] {
  return [spoke, circle, leader, label];
}

/** Width of a column of labels. */
function sideRoom(width: number): number {
  return Math.round(Math.min(168, width / 4) / 4) * 4;
}

/** A limit for far classes, which leaves room for the near classes that the model compares. */
function extentOf(classes: readonly NearClass[]): number {
  const [named, all] = [classes[NAMED - 1], classes.at(-1)];
  const farthest = all?.distance ?? 1;
  return Math.min(farthest, named === undefined ? farthest : 1.5 * named.distance) || 1;
}

/** The layout with the distances of the model as radii. */
function layoutOf(model: SceneModel, classes: readonly NearClass[]): ObjectLayout {
  const radii = classes.map(({ distance }) => distance);
  const between = classes.flatMap((a) =>
    classes.map((b) => betweenPrototypes(model, a.prototype, b.prototype)),
  );
  // The scene of a model with many prototypes contains no distances between them.
  return between.some(Number.isNaN)
    ? evenLayout(radii)
    : objectLayout(radii, between, 1);
}
