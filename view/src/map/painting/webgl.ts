/** Points with shapes and depth, drawn by a small WebGL program. */

import { rgb } from "../../color/colors";
import { outside, SHAPES } from "../../color/looks";
import { HIDDEN, ORDER, type Points, QUIET } from "../../color/points";
import { AnimatedPainter } from "./animated";
import { appearanceOf, EDGE, GROWTHS, isEdged, STRENGTHS, zoomOf } from "./appearance";

/** Numbers of each point: x, y, index in the palette, nearness. */
const NUMBERS = 4;
/** Rows of the texture of colors. */
const [PLAIN_ROW, QUIET_ROW, EDGE_ROW, ROWS] = [0, 1, 2, 3];
/** Pixels of a shape's picture, and its half width in radii. */
const [CELL, REACH] = [64, 1.6];
/** On a plane, all points have full strength and size. */
const FLAT = [1, 1] as const;

const VERTEX = `
attribute vec2 place;
attribute vec2 look;
uniform vec2 scale, shift, strengths, growths;
uniform float usual, edge;
varying float code, strength, radius, side;
void main() {
  gl_Position = vec4(place * scale + shift, 0.0, 1.0);
  code = look.x;
  strength = mix(strengths.x, strengths.y, look.y);
  radius = usual * mix(growths.x, growths.y, look.y);
  side = 2.0 * ceil(${REACH} * radius + edge + 1.0);
  gl_PointSize = side;
}`;

/** The picture of the shapes contains distances to the edge of each shape, in radii. */
const FRAGMENT = `
precision highp float;
uniform sampler2D colors, shapes;
uniform float edge, opacity, row, nColors, nShapes;
uniform vec3 paper;
varying float code, strength, radius, side;
vec4 color(float line) {
  return texture2D(colors, vec2((code + 0.5) / nColors, (line + 0.5) / ${ROWS}.0));
}
void main() {
  vec4 own = color(row);
  vec2 at = (gl_PointCoord - 0.5) * side / radius;
  float shape = floor(own.a * 255.0 + 0.5);
  vec2 inside = clamp(at / ${REACH} * 0.5 + 0.5, 0.01, 0.99);
  float stored = texture2D(shapes, vec2((shape + inside.x) / nShapes, inside.y)).r;
  float away = shape < 0.5 ? length(at) - 1.0 : (stored * 255.0 - 128.0) / 80.0;
  float cover = clamp(0.5 - away * radius + edge, 0.0, 1.0);
  float filled = clamp(0.5 - away * radius, 0.0, 1.0);
  vec3 rim = edge > 0.0 ? color(${EDGE_ROW}.0).rgb : own.rgb;
  vec3 mixed = mix(paper, mix(rim, own.rgb, filled), strength);
  float alpha = cover * mix(1.0, opacity, edge > 0.0 ? filled : 1.0);
  gl_FragColor = vec4(mixed * alpha, alpha);
}`;

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** The renderer of WebGL: a graphics card, the processor, or nothing. */
export function graphics(): "card" | "software" | "none" {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) {
    return "none";
  }
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  // Browsers allow few contexts at a time, so this context is released.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(String(renderer)) ? "software" : "card";
}

/** The points of one state in the buffer, and their look. */
interface Batch {
  readonly state: number;
  readonly start: number;
  readonly count: number;
}

export class WebGlPainter extends AnimatedPainter {
  #drawn: Points | null = null;
  #program: Program | null = null;
  #batches: readonly Batch[] = [];

  constructor() {
    super();
    // The browser may release the graphics context, and restores it empty.
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.#program = null;
    });
    this.canvas.addEventListener("webglcontextrestored", () => this.paintSoon());
  }

  async picture(scale: number): Promise<string> {
    if (this.points) {
      this.#draw(this.points, scale);
    }
    // Read at once, because the browser clears the drawing after this task.
    const address = this.canvas.toDataURL();
    this.paintSoon();
    return address;
  }

  override destroy(): void {
    super.destroy();
    this.#program?.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.#program = null;
  }

  protected paint(points: Points): void {
    this.#draw(points, devicePixelRatio);
  }

  #draw(points: Points, ratio: number): void {
    const [width, height] = [this.size.width, this.size.height].map((side) =>
      Math.round(side * ratio),
    );
    if (!this.camera || width === 0 || height === 0) {
      return;
    }
    if (this.#program === null) {
      this.#program = Program.on(this.canvas);
      this.#drawn = null;
    }
    const program = this.#program;
    if (program === null) {
      return;
    }
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    if (points !== this.#drawn) {
      this.#upload(program, points);
    }
    const k = (2 * this.camera.scale * ratio) / width;
    const l = (2 * this.camera.scale * ratio) / height;
    program.begin(width, height, points.depth?.paper ?? null);
    program.place([k, l], [-k * this.camera.x, -l * this.camera.y]);
    const zoom = zoomOf(this.camera, this.size, points.frame);
    const { sizes, opacities } = appearanceOf(points, zoom);
    for (const { state, start, count } of this.#batches) {
      const row = state === QUIET ? QUIET_ROW : PLAIN_ROW;
      const radius = (ratio * sizes[state]) / 2;
      const edge = points.edges && isEdged(state) ? ratio * EDGE : 0;
      if (edge > 0 && !points.depth) {
        // Edges are below all points of the state, and separate them from their surroundings.
        program.draw(start, count, { radius: radius + edge, row: EDGE_ROW });
        program.draw(start, count, { radius, row, opacity: opacities[state] });
      } else {
        program.draw(start, count, { radius, row, opacity: opacities[state], edge });
      }
    }
  }

  /** Send the points, in drawing order, and their colors to the graphics card. */
  #upload(program: Program, points: Points): void {
    const { positions, codes, states, depth } = points;
    const numbers = new Float32Array(NUMBERS * codes.length);
    const batches: Batch[] = [];
    let next = 0;
    for (const state of ORDER.filter((one) => one !== HIDDEN)) {
      const start = next;
      for (let rank = 0; rank < codes.length; rank++) {
        const i = depth ? depth.order[rank] : rank;
        if (states[i] === state) {
          const at = NUMBERS * next++;
          numbers[at] = positions[2 * i];
          numbers[at + 1] = positions[2 * i + 1];
          numbers[at + 2] = codes[i];
          numbers[at + 3] = depth ? depth.nearness[i] : 1;
        }
      }
      batches.push({ state, start, count: next - start });
    }
    program.give(numbers.subarray(0, NUMBERS * next));
    if (points.palette !== this.#drawn?.palette) {
      program.color(points);
    }
    this.#batches = batches;
    this.#drawn = points;
  }
}

/** The style of the points of one state, in pixels of the canvas. */
interface Style {
  readonly radius: number;
  readonly row: number;
  readonly opacity?: number;
  readonly edge?: number;
}

/** The program, its buffer and its textures. */
class Program {
  readonly gl: WebGLRenderingContext;
  readonly #program: WebGLProgram;

  private constructor(gl: WebGLRenderingContext) {
    this.gl = gl;
    this.#program = linked(gl);
    gl.useProgram(this.#program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    ["place", "look"].forEach((name, k) => {
      const attribute = gl.getAttribLocation(this.#program, name);
      gl.enableVertexAttribArray(attribute);
      gl.vertexAttribPointer(attribute, 2, gl.FLOAT, false, 4 * NUMBERS, 8 * k);
    });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    texture(gl, 0, gl.NEAREST);
    texture(gl, 1, gl.LINEAR);
    image(gl, 1, SHAPES.length * CELL, CELL, shapePictures());
    this.#set("nShapes", SHAPES.length);
    gl.uniform1i(this.#at("colors"), 0);
    gl.uniform1i(this.#at("shapes"), 1);
  }

  /** The program for a canvas; null if the browser has no WebGL. */
  static on(canvas: HTMLCanvasElement): Program | null {
    const gl = canvas.getContext("webgl", { antialias: false });
    return gl ? new Program(gl) : null;
  }

  give(numbers: Float32Array): void {
    const { gl } = this;
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
  }

  /** Set the colors, in three rows, and the shapes. */
  color({ palette, quietPalette, edges, shapes }: Points): void {
    const rows = [palette, quietPalette, edges ?? palette];
    const bytes = Uint8Array.from(
      rows.flatMap((row) =>
        row.flatMap((color, c) => [...rgb(color), shapes?.[c] ?? 0]),
      ),
    );
    image(this.gl, 0, palette.length, ROWS, bytes);
    this.#set("nColors", palette.length);
  }

  /** Clear everything; on a 3-D map, far points fade to the background. */
  begin(width: number, height: number, paper: string | null): void {
    const { gl } = this;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform3fv(
      this.#at("paper"),
      rgb(paper ?? "#FFFFFF").map((part) => part / 255),
    );
    gl.uniform2fv(this.#at("strengths"), paper ? STRENGTHS : FLAT);
    gl.uniform2fv(this.#at("growths"), paper ? GROWTHS : FLAT);
  }

  place(scale: readonly number[], shift: readonly number[]): void {
    this.gl.uniform2fv(this.#at("scale"), scale);
    this.gl.uniform2fv(this.#at("shift"), shift);
  }

  draw(
    start: number,
    count: number,
    { radius, row, opacity = 1, edge = 0 }: Style,
  ): void {
    if (count === 0) {
      return;
    }
    this.#set("usual", radius);
    this.#set("edge", edge);
    this.#set("opacity", opacity);
    this.#set("row", row);
    this.gl.drawArrays(this.gl.POINTS, start, count);
  }

  #set(name: string, value: number): void {
    this.gl.uniform1f(this.#at(name), value);
  }

  #at(name: string): WebGLUniformLocation | null {
    return this.gl.getUniformLocation(this.#program, name);
  }
}

function linked(gl: WebGLRenderingContext): WebGLProgram {
  const program = gl.createProgram();
  const sources = [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const;
  for (const [kind, source] of sources) {
    const shader = gl.createShader(kind) as WebGLShader;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

function texture(gl: WebGLRenderingContext, unit: number, filter: number): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

function image(
  gl: WebGLRenderingContext,
  unit: number,
  width: number,
  height: number,
  bytes: Uint8Array,
): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.texImage2D(
    gl.TEXTURE_2D,
    0,
    gl.RGBA,
    width,
    height,
    0,
    gl.RGBA,
    gl.UNSIGNED_BYTE,
    bytes,
  );
}

/** All shapes side by side, as distances from their edges, computed from the same corners. */
function shapePictures(): Uint8Array {
  const bytes = new Uint8Array(4 * SHAPES.length * CELL * CELL);
  const place = (k: number) => REACH * (((k + 0.5) / CELL) * 2 - 1);
  for (let row = 0; row < CELL; row++) {
    for (let column = 0; column < SHAPES.length * CELL; column++) {
      const shape = Math.floor(column / CELL);
      const away = outside(shape, 1, place(column % CELL), place(row));
      const stored = Math.min(Math.max(Math.round(128 + 80 * away), 0), 255);
      bytes[4 * (row * SHAPES.length * CELL + column)] = stored;
    }
  }
  return bytes;
}
