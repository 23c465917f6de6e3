import { expect, test } from "vitest";
import { csvLine, selectionCsv, shortest } from "../src/csv";
import { bareScene, madeScene, strings } from "./made_scene";

test("fields that could be misread stand in quotation marks", () => {
  expect(csvLine(["plain", "a,b", 'say "x"', "two\nlines", " space", "=1+1"])).toBe(
    'plain,"a,b","say ""x""","two\nlines"," space",=1+1\r\n',
  );
});

test("numbers are the shortest that give back the same float32", () => {
  expect(shortest(Math.fround(0.1))).toBe("0.1");
  expect(shortest(Number.NaN)).toBe("");
  for (const value of [1 / 3, 123456.789, 1e-30, -16777217]) {
    expect(Math.fround(Number(shortest(Math.fround(value))))).toBe(Math.fround(value));
  }
});

test("a selection becomes one line per point, with all that the scene says of it", () => {
  const scene = madeScene({ n: 12, d: 2 });
  const ids = strings(
    Array.from({ length: 12 }, (_, i) => (i === 3 ? 'a,"b"' : `id ${i}`)),
  );
  const lines = selectionCsv({ ...scene, ids }, [3, 5])
    .join("")
    .split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(
    "id,class,prediction,certainty,<img src=x onerror=alert(1)>,feature 1",
  );
  const value = shortest(scene.features[1].values[3]);
  expect(lines[1].startsWith('"a,""b""",<b>bold</b>,')).toBe(true);
  expect(
    lines[1].endsWith(`,0.75,${shortest(scene.features[0].values[3])},${value}`),
  ).toBe(true);
});

test("without ids, labels and features there are still row numbers", () => {
  expect(selectionCsv(bareScene(), [2, 4]).join("")).toBe("id\r\n2\r\n4\r\n");
});
