/** The scene of an exported page: gzip, written as base64 into the page. */

/** Return the bytes that a page carries. */
export async function unpack(base64: string): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error(
      "This browser cannot unpack the page. Open it with one from 2023 or later.",
    );
  }
  try {
    const packed = new Blob([fromBase64(base64)]);
    const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new Error("The data in this page are damaged. Ask for the file once more.");
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}
