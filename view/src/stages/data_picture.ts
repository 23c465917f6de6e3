/** The data level as a saved drawing: vectors for few points, an image for many. */

import { hex, rgb, type Shade, TONES } from "../color/colors";
import type { Looking } from "../color/looks";
import { HIDDEN, ORDER, type Points, QUIET } from "../color/points";
import { frozen } from "../files/out";
import { linePath, type Point, placeOf } from "../geometry/plane";
import { toScreen } from "../map/camera";
import { prepared } from "../map/layer";
import type { Anchor, Label } from "../map/marks/labels";
import { FONT, labelColor, labelsOn, strokesOf } from "../map/marks/overlay";
import type { Links, PointMark, PointMarks } from "../map/marks/point_marks";
import type { PrototypeMark } from "../map/marks/prototype_marks";
import {
  appearanceOf,
  atDepth,
  EDGE,
  GROWTHS,
  isEdged,
  type Painter,
  STRENGTHS,
  zoomOf,
} from "../map/painting/appearance";
import type { Projection } from "../map/projection";
import { widthOf } from "../regions/density";
import type { RegionsPicture, RegionVectors, Strength } from "../regions/regions";
import { type Attributes, drawing as sized, svg } from "../ui/elements";
import { shapeMark } from "../ui/marks";

/** More points are drawn as an image, even in a vector drawing. */
const MOST_CIRCLES = 20_000;
const SCALE = 2;
/** The pattern of lines where no data are near. */
const HATCH = "ls-far";

type Lines = readonly (readonly Point[])[];

interface DataPicture extends PointMarks {
  readonly projection: Projection;
  readonly points: Points;
  readonly painter: Painter;
  readonly regions: RegionsPicture | null;
  readonly anchors: readonly Anchor[];
  readonly shade: Shade;
  readonly scene: Looking;
  readonly prototypes: SVGSVGElement;
  readonly arrows: SVGSVGElement;
  readonly axes: SVGSVGElement;
  /** The arrow to the nearest point of the class border. */
  readonly border: SVGSVGElement;
  /** Lines from a point to its neighbors in the data. */
  readonly links: Links;
  /** Lines of equal density, the densest first. */
  readonly density: readonly Lines[];
  /** The positions of the prototype marks. */
  readonly marks: readonly PrototypeMark[];
  /** Rings around points whose label looks wrong. */
  readonly suspects: readonly PointMark[];
  /** Strength of the region colors. */
  readonly strength: Strength;
}

/** Draw a map; `vector` requests circles instead of an image of the points. */
export async function drawing(
  given: DataPicture,
  vector: boolean,
): Promise<SVGSVGElement> {
  const { projection, regions, points, shade, scene } = given;
  const { width, height } = projection.size;
  const canvas = document.createElement("canvas");
  const context = prepared(canvas, projection.size, SCALE);
  const labels = context
    ? labelsOn(context, projection, given.anchors, given.marks)
    : [];
  const root = sized(width, height);
  if (vector && regions) {
    root.append(...regionPaths(regions.vectors(projection, given.strength)));
  } else if (context && regions) {
    regions.draw(context, projection, SCALE, given.strength);
    root.append(image(canvas.toDataURL(), width, height));
  }
  if (regions) {
    root.append(lines(regions.borders(projection), regions.border(given.strength)));
  }
  if (vector && points.codes.length <= MOST_CIRCLES) {
    root.append(circles(points, projection));
  } else {
    root.append(image(await given.painter.picture(SCALE), width, height));
  }
  root.append(...markPaths(given));
  if (projection.disc) {
    const r = projection.camera.scale;
    const stroke = TONES[shade].quiet;
    root.append(
      svg("circle", { cx: width / 2, cy: height / 2, r, fill: "none", stroke }),
    );
  }
  root.append(...labels.map((label) => labelText(label, scene, shade)));
  const layers = [given.prototypes, given.arrows, given.border, given.axes];
  root.append(...layers.map(frozen));
  return root;
}

/** Lines, holes and rings, as `drawMarks` paints them. */
function markPaths({ shade, density, links, holes, rings, suspects }: DataPicture) {
  const { ink, paper } = TONES[shade];
  const strokes = strokesOf(shade);
  const around = (marks: readonly PointMark[], look: Attributes) =>
    marks.map(({ at, radius }) => shapeMark(0, at, radius, look));
  const ring = (stroke: string, width: number, dash: readonly number[]) => ({
    fill: "none",
    stroke,
    "stroke-width": width,
    "stroke-dasharray": dash.join(" ") || null,
  });
  return [
    ...density.map((level, k) => lines(level, { color: ink, width: widthOf(k) })),
    ...strokes.links.flatMap(([color, width]) => [
      lines(links.lines, { color, width }),
      ...around(links.rings, ring(color, width, [])),
    ]),
    ...around(holes, { fill: paper }),
    ...strokes.contradictions.flatMap((stroke) => around(rings, ring(...stroke))),
    ...strokes.suspects.flatMap((stroke) => around(suspects, ring(...stroke))),
  ];
}

function labelText({ index, text, x, y }: Label, scene: Looking, shade: Shade) {
  return svg(
    "text",
    {
      x: x.toFixed(1),
      y: (y + 4).toFixed(1),
      fill: labelColor(scene, index, shade),
      stroke: TONES[shade].paper,
      "stroke-width": 3.5,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
      "text-anchor": "middle",
      "font-family": FONT,
      "font-size": 11,
      "font-weight": 600,
    },
    text,
  );
}

function circles(points: Points, { camera, size }: Projection): SVGGElement {
  const { codes, states, palette, quietPalette, positions, frame, edges, depth } =
    points;
  const { sizes, opacities } = appearanceOf(points, zoomOf(camera, size, frame));
  const group = svg("g");
  for (const state of ORDER.filter((state) => state !== HIDDEN)) {
    const colors = state === QUIET ? quietPalette : palette;
    const draw = (edge: number, fills: readonly string[], opacity: number) => {
      for (let rank = 0; rank < codes.length; rank++) {
        const i = depth ? depth.order[rank] : rank;
        if (states[i] === state) {
          const at = toScreen(camera, size, ...placeOf(positions, i));
          const own = fills[codes[i]];
          const fill = depth ? faded(own, depth.paper, depth.nearness[i]) : own;
          const growth = depth ? atDepth(GROWTHS, depth.nearness[i]) : 1;
          const radius = (growth * sizes[state]) / 2 + edge;
          const look = { fill, "fill-opacity": opacity.toFixed(2) };
          group.append(shapeMark(points.shapes?.[codes[i]] ?? 0, at, radius, look));
        }
      }
    };
    if (edges && isEdged(state)) {
      draw(EDGE, edges, 1);
    }
    draw(0, colors, opacities[state]);
  }
  return group;
}

/** The color of a point at this nearness: far points fade to the background. */
function faded(color: string, paper: string, nearness: number): string {
  const strength = atDepth(STRENGTHS, nearness);
  const [own, below] = [rgb(color), rgb(paper)];
  return hex([0, 1, 2].map((k) => below[k] + (own[k] - below[k]) * strength) as never);
}

/** Regions as paths: areas, paler and hatched where far from data, and isolines. */
function regionPaths({ areas, far, veil, hatch, lines: isolines }: RegionVectors) {
  const stroke = svg("path", { d: "M0 7L7 0", stroke: hatch });
  const area = (outline: Lines, fill: string, opacity: number | string) =>
    svg("path", {
      d: outline.map((line) => `${linePath(line)}Z`).join(""),
      fill,
      "fill-opacity": opacity,
      "fill-rule": "evenodd",
    });
  const pattern = svg(
    "pattern",
    { id: HATCH, width: 7, height: 7, patternUnits: "userSpaceOnUse" },
    stroke,
  );
  return [
    svg("defs", pattern),
    ...areas.map((one) => area(one.lines, one.fill, one.opacity.toFixed(3))),
    area(far, veil.fill, veil.opacity),
    ...(hatch === null ? [] : [area(far, `url(#${HATCH})`, 1)]),
    ...isolines.map(({ lines: given, color }) => lines(given, { color, width: 1 })),
  ];
}

function lines(
  given: Lines,
  { color, width }: { readonly color: string; readonly width: number },
): SVGPathElement {
  return svg("path", {
    d: given.map(linePath).join(""),
    fill: "none",
    stroke: color,
    "stroke-width": width,
    "stroke-linecap": "round",
  });
}

function image(href: string, width: number, height: number): SVGImageElement {
  return svg("image", { href, width, height });
}
