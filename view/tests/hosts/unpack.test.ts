// @vitest-environment node
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { unpack } from "../../src/hosts/model";

afterEach(() => vi.unstubAllGlobals());

describe("the scene in a page", () => {
  it("is unpacked to the bytes that Python packed", async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % 256);
    const text = `\n${gzipSync(bytes).toString("base64")}\n`;
    expect(new Uint8Array(await unpack(text))).toEqual(bytes);
  });

  it("is refused in words when it is damaged", async () => {
    const packed = gzipSync(new Uint8Array(5000)).subarray(0, 20);
    await expect(unpack(packed.toString("base64"))).rejects.toThrow("are damaged");
  });

  it("is refused in words when it is no base64", async () => {
    await expect(unpack("<p>")).rejects.toThrow("are damaged");
  });

  it("asks for a newer browser where one cannot unpack", async () => {
    vi.stubGlobal("DecompressionStream", undefined);
    await expect(unpack("")).rejects.toThrow("from 2023 or later");
  });
});
