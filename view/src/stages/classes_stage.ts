/** The map of classes: all prototypes of the model, and some points among them. */

import { paintIn, shapeIn } from "../color/looks";
import type { Context } from "../context";
import { firstFrame } from "../geometry/first_frame";
import type { Point } from "../geometry/plane";
import { placeOf } from "../geometry/plane";
import { cameraFor } from "../map/camera";
import { besideMarks } from "../map/marks/label_places";
import { CLASSES } from "../messages";
import { type ClassPoints, classPoints } from "../scene/class_points";
import {
  classOf,
  classTitle,
  inWords,
  objectId,
  prototypeName,
  shortened,
} from "../scene/names";
import { type ClassLevel, positionIn, type SceneModel } from "../scene/scene";
import { type State, show, toggleCompared, togglePrototype } from "../state";
import { button, html, svg } from "../ui/elements";
import { clickable, diamond, moveTo, shapeMark } from "../ui/marks";
import { FurtherOut } from "./further_out";
import { SvgStage } from "./svg_stage";
import { Tooltip } from "./tooltip";

const MARGIN = 72;
const SMALLEST = 7;
const LARGEST = 14;
/** Radius of points. */
const RADIUS = 4.5;
/** With more prototypes, marks are smaller. */
const ROOMY = 24;
const LONGEST_NAME = 24;
const LETTER = 6.8;

interface Mark {
  readonly index: number;
  readonly own: number;
  readonly place: Point;
  readonly element: SVGGElement;
}

interface PrototypeMark extends Mark {
  readonly radius: number;
  readonly name: string;
  readonly label: SVGTextElement;
}

export class ClassesStage extends SvgStage {
  readonly #tooltip: Tooltip;
  #prototypes: PrototypeMark[] = [];
  #objects: Mark[] = [];
  #isGone = false;
  #showsAll = false;
  readonly #furtherOut = new FurtherOut((all) => {
    this.#showsAll = all;
    this.reset();
  });

  constructor(el: HTMLElement, context: Context) {
    const { model } = context.scene;
    const { weighting, classPoints: chosen } = context.store.state;
    const levels = model?.class_levels ?? [];
    const level = levels.find((one) => one.weighting === weighting) ?? null;
    const among: ClassPoints =
      model && level && chosen
        ? classPoints(context.scene, model, level, chosen)
        : {
            points: [...(level?.objects.data ?? [])],
            places: [...(level?.object_positions.data ?? [])],
            agreement: level?.agreement ?? null,
          };
    const places = [...(level?.prototype_positions.data ?? []), ...among.places];
    const { frame, whole, nOutside } = firstFrame(
      among.places,
      level?.prototype_positions.data,
    );
    super(el, context, {
      name: "classes",
      label: CLASSES.label,
      places: () => places,
      fitted: (size) => cameraFor(this.#showsAll ? whole : frame, size, MARGIN),
      draw: () => {
        const { camera, size } = this.projection();
        this.#furtherOut.see(camera, cameraFor(whole, size, MARGIN));
        this.#draw();
      },
    });
    this.#tooltip = new Tooltip(context.scene);
    if (model !== null && level !== null) {
      this.#prototypes = this.#prototypeMarks(model, level);
      this.#objects = this.#objectMarks(among);
    }
    this.svg.append(
      svg("g.ls-object-marks", ...this.#objects.map(({ element }) => element)),
      svg("g.ls-prototype-marks", ...this.#prototypes.map(({ element }) => element)),
      svg("g.ls-mark-labels", ...this.#prototypes.map(({ label }) => label)),
    );
    const words = level === null ? CLASSES.noPicture : agreementWords(among);
    const usual = button(
      CLASSES.usual,
      () => context.store.set({ classPoints: null }),
      {
        class: "ls-usual",
        hidden: chosen === null,
      },
    );
    this.root.append(
      html("p.ls-stage-words", words),
      usual,
      this.#furtherOut.el,
      this.#tooltip.el,
    );
    this.#furtherOut.tell(nOutside);
    this.#show(context.store.state);
    this.draw();
  }

  override update(state: State, before: State): void {
    super.update(state, before);
    this.#show(state);
    if (
      state.prototypes !== before.prototypes ||
      state.hiddenClasses !== before.hiddenClasses
    ) {
      this.#draw();
    }
  }

  override goHome(): void {
    this.#showsAll = false;
    super.goHome();
  }

  override destroy(): void {
    // A mark with the keyboard focus loses it when the mark is removed.
    this.#isGone = true;
    this.#tooltip.destroy();
    super.destroy();
  }

  #prototypeMarks(model: SceneModel, level: ClassLevel): PrototypeMark[] {
    const { scene, store } = this.context;
    const { labels, n_members } = model.prototypes;
    const most = n_members.data.reduce((a, b) => Math.max(a, b), 1);
    const crowd = Math.max(0.5, Math.min(1, Math.sqrt(ROOMY / labels.data.length)));
    return Array.from(labels.data, (_, index) => {
      const own = classOf(labels, index);
      const members = n_members.data[index];
      // The area is proportional to the number of points, so the radius is a square root.
      const radius =
        crowd * (SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(members / most));
      const name = prototypeName(scene, model, index);
      const words = CLASSES.prototype(name, members);
      const place = placeOf(level.prototype_positions.data, index);
      const element = clickable(
        () => {
          togglePrototype(store, index);
          this.focusOn(place);
        },
        words,
        { class: "ls-prototype", "data-prototype": index, "data-class": own },
        svg("title", words),
        diamond(radius, paintIn(scene, own)),
      );
      const label = svg("text.ls-mark-label", shortened(name, LONGEST_NAME));
      return { index, own, place, element, radius, name, label };
    });
  }

  #objectMarks({ points, places }: ClassPoints): Mark[] {
    const { scene, store } = this.context;
    const codes = scene.labels ?? scene.predictions;
    return points.map((index, k) => {
      const own = codes === null ? -1 : classOf(codes, index);
      const hover = () => this.#hover(index);
      const leave = () => this.#hover(null);
      const given = scene.predictions === null ? -1 : classOf(scene.predictions, index);
      const element = clickable(
        (event) =>
          (event as MouseEvent).shiftKey
            ? toggleCompared(store, index)
            : show(this.context, index),
        CLASSES.point(objectId(scene, index)) +
          (own < 0 ? "" : CLASSES.own(inWords(classTitle(scene, own)))) +
          (given < 0 ? "" : CLASSES.predicted(inWords(classTitle(scene, given)))),
        {
          class: "ls-object-mark",
          "data-object": index,
          "data-class": own,
          style: `--ls-quiet-fill: ${paintIn(scene, own, "-quiet")}`,
          // One tab stop for all points; arrow keys move between them.
          tabindex: k === 0 ? 0 : -1,
          onpointerenter: hover,
          onpointerleave: leave,
          onfocus: hover,
          onblur: leave,
        },
        shapeMark(shapeIn(scene, own), [0, 0], RADIUS, { fill: paintIn(scene, own) }),
      );
      element.addEventListener("keydown", (event) => this.#step(event, k));
      return { index, own, place: placeOf(places, k), element };
    });
  }

  #hover(hover: number | null): void {
    if (!this.#isGone) {
      this.context.store.set({ hover });
    }
  }

  #step(event: KeyboardEvent, from: number): void {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const n = this.#objects.length;
      this.#objects[(from + by + n) % n].element.focus();
    }
  }

  /** Show the selected and hidden points, and the point under the pointer. */
  #show(state: State): void {
    const isChosen = this.#objects.map(
      ({ index }) =>
        positionIn(state.selection, index) >= 0 || state.compared.includes(index),
    );
    this.root.classList.toggle("ls-has-selection", isChosen.includes(true));
    this.#objects.forEach(({ own, element }, k) => {
      element.classList.toggle("ls-is-chosen", isChosen[k]);
      element.style.display = state.hiddenClasses.has(own) ? "none" : "";
    });
    for (const { index, own, element, label } of this.#prototypes) {
      const display = state.hiddenClasses.has(own) ? "none" : "";
      element.style.display = display;
      element.setAttribute("aria-pressed", String(state.prototypes.includes(index)));
      label.classList.toggle("ls-is-chosen", state.prototypes.includes(index));
    }
    const under = this.#objects.find(({ index }) => index === state.hover);
    this.#tooltip.show(under?.index ?? null, under ? this.screen(under.place) : null);
  }

  #draw(): void {
    for (const mark of [...this.#objects, ...this.#prototypes]) {
      moveTo(mark.element, this.screen(mark.place));
    }
    this.#drawLabels();
  }

  #drawLabels(): void {
    const { prototypes, hiddenClasses } = this.context.store.state;
    const { width, height } = this.size;
    // Selected prototypes get a name first, then those that represent many points.
    const order = this.#prototypes
      .filter(({ own }) => !hiddenClasses.has(own))
      .sort(
        (a, b) =>
          Number(prototypes.includes(b.index)) - Number(prototypes.includes(a.index)) ||
          b.radius - a.radius,
      );
    const places = besideMarks(
      order.map((mark) => {
        const [x, y] = this.screen(mark.place);
        const letters = Math.min(mark.name.length, LONGEST_NAME);
        return { x, y, radius: mark.radius, width: letters * LETTER };
      }),
      width,
      height,
    );
    for (const { label } of this.#prototypes) {
      label.style.display = "none";
    }
    order.forEach(({ label }, i) => {
      const place = places[i];
      if (place !== null) {
        label.style.display = "";
        label.setAttribute("x", place.x.toFixed(1));
        label.setAttribute("y", (place.y + 4).toFixed(1));
        label.setAttribute("text-anchor", place.anchor);
      }
    });
  }
}

function agreementWords({ points, agreement }: ClassPoints): string {
  return points.length === 0 || agreement === null
    ? CLASSES.exact
    : CLASSES.agreement(agreement, points.length);
}
