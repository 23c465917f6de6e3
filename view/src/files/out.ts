/** Output of the page: files, the clipboard, and drawings with their styles. */

import { html } from "../ui/elements";

/** Lifetime of the URL of a file, in milliseconds. */
const KEPT = 60_000;

/** Save a file under a name by a download of the browser. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: name }).click();
  // The browser reads the file when it starts to save, possibly after the user has chosen
  // a folder. If the URL were revoked before, nothing would be saved.
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

/** Copy text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened from a file cannot write to the clipboard, but can copy a text field.
    const field = html("textarea.ls-offscreen");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

// A drawing with its styles as attributes, so that it looks the same outside the page.

const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "paint-order",
  "opacity",
  "display",
  "visibility",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
] as const;

/** A copy of a drawing with its current styles. */
export function frozen(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((original, k) => {
    const style = getComputedStyle(original);
    copies[k].removeAttribute("style");
    copies[k].removeAttribute("class");
    for (const name of STYLES) {
      copies[k].setAttribute(name, style.getPropertyValue(name));
    }
  });
  copy.setAttribute("width", String(drawing.clientWidth));
  copy.setAttribute("height", String(drawing.clientHeight));
  return copy;
}
