/** The picture or text of a point. */

import { STAGE } from "../messages";
import { objectId } from "../scene/names";
import type { Scene } from "../scene/scene";
import { html } from "./elements";

/** Shows pictures of points, and frees their memory when it is destroyed. */
export class Media {
  readonly #addresses = new Map<number, string>();

  constructor(private readonly scene: Scene) {}

  /** The picture of a point: its image, or its thumbnail; null without any. */
  picture(point: number): HTMLElement | null {
    return this.#image(point) ?? this.#thumbnail(point);
  }

  /** The text of a point; null if there is none. */
  text(point: number): string | null {
    return this.scene.texts?.at(point) || null;
  }

  destroy(): void {
    for (const address of this.#addresses.values()) {
      URL.revokeObjectURL(address);
    }
    this.#addresses.clear();
  }

  #image(point: number): HTMLElement | null {
    const images = this.scene.images;
    const start = images?.offsets.data[point] ?? 0;
    const end = images?.offsets.data[point + 1] ?? 0;
    if (!images || start === end) {
      return null;
    }
    let address = this.#addresses.get(point);
    if (address === undefined) {
      const bytes = images.bytes.data.slice(start, end);
      address = URL.createObjectURL(new Blob([bytes], { type: imageType(bytes) }));
      this.#addresses.set(point, address);
    }
    return html("img.ls-picture", { src: address, alt: this.#words(point) });
  }

  #thumbnail(point: number): HTMLElement | null {
    const pixels = this.scene.thumbnails?.pixels;
    if (!pixels) {
      return null;
    }
    const [, height = 0, width = 0, channels = 1] = pixels.shape;
    const size = height * width * channels;
    const canvas = html("canvas.ls-picture.ls-picture-small", {
      width,
      height,
      role: "img",
      "aria-label": this.#words(point),
    });
    const data = opaque(
      pixels.data.subarray(point * size, (point + 1) * size),
      channels,
    );
    canvas.getContext("2d")?.putImageData(new ImageData(data, width, height), 0, 0);
    return canvas;
  }

  #words(point: number): string {
    return STAGE.picture(objectId(this.scene, point));
  }
}

/** Convert gray or RGB pixels to RGBA. */
export function opaque(
  pixels: Uint8Array,
  channels: number,
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray((pixels.length / channels) * 4);
  for (let i = 0; i * channels < pixels.length; i++) {
    for (let c = 0; c < 3; c++) {
      rgba[4 * i + c] = pixels[i * channels + Math.min(c, channels - 1)];
    }
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

/** The type of an image, from its first bytes. */
export function imageType(bytes: Uint8Array): string {
  const first = String.fromCharCode(...bytes.subarray(0, 12));
  if (first.startsWith("\x89PNG")) {
    return "image/png";
  }
  if (first.startsWith("GIF8")) {
    return "image/gif";
  }
  return first.startsWith("RIFF") && first.endsWith("WEBP")
    ? "image/webp"
    : "image/jpeg";
}
