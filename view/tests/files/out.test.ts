import { expect, test } from "vitest";
import { frozen } from "../../src/files/out";
import { svg } from "../../src/ui/elements";

test("what is not seen on the page is not seen in the copy", () => {
  const away = svg("g", { style: "visibility: hidden" });
  const gone = svg("g", { style: "display: none" });
  const drawing = svg("svg", {}, away, gone);
  document.body.append(drawing);
  const [first, second] = frozen(drawing).children;
  expect(first.getAttribute("visibility")).toBe("hidden");
  expect(second.getAttribute("display")).toBe("none");
  drawing.remove();
});
