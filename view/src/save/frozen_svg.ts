/** A drawing of the page that keeps its looks elsewhere: styles become attributes. */

const KEPT = [
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
    for (const name of KEPT) {
      copies[k].setAttribute(name, style.getPropertyValue(name));
    }
  });
  copy.setAttribute("width", String(drawing.clientWidth));
  copy.setAttribute("height", String(drawing.clientHeight));
  return copy;
}
