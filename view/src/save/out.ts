/** Ways out of the page: a file, the clipboard, a drawing with its looks. */

import { html } from "../ui/elements";

/** How long an address of a file is kept, in milliseconds. */
const KEPT = 60_000;

/** Hand a file to the browser, which saves it under a name. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: name }).click();
  // A browser reads the file when it begins to save it, which may be after the person
  // has said where to: an address that is gone by then saves nothing.
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

/** Put text on the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened from a file may not write to the clipboard, but may copy a field.
    const field = html("textarea.ls-offscreen");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

// A drawing of the page that keeps its looks elsewhere: styles become attributes.

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

/** A copy of a drawing with the styles that it has now. */
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
