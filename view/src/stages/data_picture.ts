/** The data level as a drawing: vectors where there are few, an image where many. */

import type { Shade } from "../colors";
import { svg } from "../elements";
import { frozen } from "../frozen_svg";
import type { Point } from "../geometry";
import type { Anchor } from "../labels";
import { prepared } from "../layer";
import { FONT, labelColor, labelsOn, TONES } from "../marks";
import { placeOf } from "../picking";
import type { Plane } from "../plane";
import {
  HIDDEN,
  lookOf,
  ORDER,
  type Painter,
  type Points,
  QUIET,
  zoomOf,
} from "../points";
import type { PrototypeMark } from "../prototype_marks";
import type { RegionsPicture, Strength } from "../regions";

/** More points than this are one image, even in a drawing. */
const MOST_CIRCLES = 20_000;
const SCALE = 2;

interface DataPicture {
  readonly plane: Plane;
  readonly points: Points;
  readonly painter: Painter;
  readonly regions: RegionsPicture | null;
  readonly anchors: readonly Anchor[];
  readonly shade: Shade;
  readonly nClasses: number;
  readonly prototypes: SVGSVGElement;
  /** Where the prototypes are marked. */
  readonly marks: readonly PrototypeMark[];
  /** How strong the colours of the regions are. */
  readonly strength: Strength;
}

/** Draw a map; `vector` asks for circles instead of an image of the points. */
export async function drawing(
  given: DataPicture,
  vector: boolean,
): Promise<SVGSVGElement> {
  const { plane, regions, points, shade, nClasses } = given;
  const { width, height } = plane.size;
  const canvas = document.createElement("canvas");
  const context = prepared(canvas, plane.size, SCALE);
  const labels = context ? labelsOn(context, plane, given.anchors, given.marks) : [];
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  if (context && regions) {
    regions.draw(context, plane, SCALE, given.strength);
    root.append(image(canvas.toDataURL(), width, height));
    root.append(lines(regions.borders(plane), regions.border(given.strength)));
  }
  if (vector && points.codes.length <= MOST_CIRCLES) {
    root.append(circles(points, plane));
  } else {
    root.append(image(await given.painter.picture(SCALE), width, height));
  }
  if (plane.disc) {
    const r = plane.camera.scale;
    const stroke = TONES[shade].quiet;
    root.append(
      svg("circle", { cx: width / 2, cy: height / 2, r, fill: "none", stroke }),
    );
  }
  for (const { index, text, x, y } of labels) {
    root.append(
      svg(
        "text",
        {
          x: x.toFixed(1),
          y: (y + 4).toFixed(1),
          fill: labelColor(index, nClasses, shade),
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
      ),
    );
  }
  root.append(frozen(given.prototypes));
  return root;
}

function circles(points: Points, { camera, size }: Plane): SVGGElement {
  const { codes, states, palette, quietPalette, positions, frame } = points;
  const { sizes, opacities } = lookOf(codes.length, zoomOf(camera, size, frame));
  const group = svg("g", {});
  for (const state of ORDER.filter((state) => state !== HIDDEN)) {
    const colors = state === QUIET ? quietPalette : palette;
    for (let i = 0; i < codes.length; i++) {
      if (states[i] !== state) {
        continue;
      }
      const [x, y] = placeOf(positions, i);
      group.append(
        svg("circle", {
          cx: (size.width / 2 + (x - camera.x) * camera.scale).toFixed(1),
          cy: (size.height / 2 - (y - camera.y) * camera.scale).toFixed(1),
          r: (sizes[state] / 2).toFixed(1),
          fill: colors[codes[i]],
          "fill-opacity": opacities[state].toFixed(2),
        }),
      );
    }
  }
  return group;
}

function lines(
  given: readonly (readonly Point[])[],
  { color, width }: { readonly color: string; readonly width: number },
): SVGPathElement {
  const parts = given.map(
    (line) => `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`,
  );
  return svg("path", {
    d: parts.join(""),
    fill: "none",
    stroke: color,
    "stroke-width": width,
    "stroke-linecap": "round",
  });
}

function image(href: string, width: number, height: number): SVGImageElement {
  return svg("image", { href, width, height });
}
