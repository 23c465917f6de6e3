import { expect, test, vi } from "vitest";
import { imageType, Media, opaque } from "../../src/ui/media";
import { bareScene, MARKUP, madeScene, strings, tensor } from "../made_scene";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0, 0];

test("grey and coloured pixels become opaque ones", () => {
  expect([...opaque(Uint8Array.of(1, 2), 1)]).toEqual([1, 1, 1, 255, 2, 2, 2, 255]);
  expect([...opaque(Uint8Array.of(1, 2, 3), 3)]).toEqual([1, 2, 3, 255]);
});

test("the type of an image is known from its first bytes", () => {
  const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
  expect(imageType(Uint8Array.from(PNG))).toBe("image/png");
  expect(imageType(bytes("GIF89a"))).toBe("image/gif");
  expect(imageType(bytes("RIFF....WEBPVP8 "))).toBe("image/webp");
  expect(imageType(Uint8Array.of(0xff, 0xd8, 0xff))).toBe("image/jpeg");
});

test("an image has one address, which is given back in the end", () => {
  const create = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:one");
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const images = {
    offsets: tensor(Uint32Array.of(0, 6, 6)),
    bytes: tensor(Uint8Array.from(PNG)),
  };
  const media = new Media({ ...madeScene(), images });
  expect(media.picture(0)?.getAttribute("src")).toBe("blob:one");
  expect(media.picture(0)?.getAttribute("alt")).toBe(`Picture of ${MARKUP}`);
  expect(media.picture(1)).toBeNull();
  expect(create).toHaveBeenCalledTimes(1);
  media.destroy();
  expect(revoke).toHaveBeenCalledExactlyOnceWith("blob:one");
  vi.restoreAllMocks();
});

test("a thumbnail is a canvas of its size", () => {
  const pixels = tensor(new Uint8Array(2 * 3 * 4), 2, 3, 4, 1);
  const media = new Media({ ...bareScene(2), thumbnails: { pixels } });
  const canvas = media.picture(1) as HTMLCanvasElement;
  expect([canvas.width, canvas.height]).toEqual([4, 3]);
});

test("texts are given where there are any", () => {
  expect(new Media({ ...bareScene(2), texts: strings(["a", ""]) }).text(0)).toBe("a");
  expect(new Media({ ...bareScene(2), texts: strings(["a", ""]) }).text(1)).toBeNull();
  expect(new Media(bareScene()).text(0)).toBeNull();
  expect(new Media(bareScene()).picture(0)).toBeNull();
});
