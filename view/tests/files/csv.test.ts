import { expect, test } from "vitest";
import { csvLine, pointColumns, selectionCsv, shortest } from "../../src/files/csv";
import { columnedScene } from "../columned";
import { bareScene, feature, madeScene, strings } from "../made_scene";

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

test("text that a spreadsheet would calculate is marked as text, numbers are not", () => {
  const given = ["=1+1", "+x", "-x", "@sum(a)", "\t=1", "\r=1", "-1", "+2.5e3", "a=1"];
  const scene = madeScene({ n: given.length, d: 1 });
  const feature = { ...scene.features[0], name: "=cmd()" };
  feature.values.fill(-3);
  const lines = selectionCsv(
    { ...scene, ids: strings(given), features: [feature] },
    given.map((_, i) => i),
  )
    .join("")
    .split("\r\n");
  expect(lines[0].split(",").at(-1)).toBe("'=cmd()");
  expect(lines.slice(1, -1).map((line) => line.slice(0, line.indexOf(",")))).toEqual([
    "'=1+1",
    "'+x",
    "'-x",
    "'@sum(a)",
    "'\t=1",
    '"\'\r=1"',
    "-1",
    "+2.5e3",
    "a=1",
  ]);
  expect(lines[1].endsWith(",-3")).toBe(true);
});

test("days are written as days, truth as 0 and 1; a person reads yes and no", () => {
  const scene = madeScene({ n: 2, d: 2 });
  const days = Float32Array.of(18_690, Number.NaN);
  const features = [
    feature({ name: "day", values: days, kind: "date" }),
    feature({ name: "sure", values: Float32Array.of(1, 0), kind: "truth" }),
  ];
  const dated = { ...scene, features };
  const lines = selectionCsv(dated, [0, 1]).join("").split("\r\n");
  expect(lines[1].endsWith(",2021-03-04,1")).toBe(true);
  expect(lines[2].endsWith(",,0")).toBe(true);
  const [day, sure] = pointColumns(dated).slice(-2);
  expect([day.words(0), day.words(1)]).toEqual(["2021-03-04", ""]);
  expect([sure.words(0), sure.words(1)]).toEqual(["yes", "no"]);
});

test("an assumed value is an empty cell in the file, and missing to a person", () => {
  const imputed = Uint32Array.of(1);
  const iron = feature({ name: "iron", values: Float32Array.of(96, 0.5), imputed });
  const values = Float32Array.of(1, 18_690);
  const day = feature({ name: "day", values, kind: "date", imputed });
  const scene = { ...madeScene({ n: 2, d: 2 }), features: [iron, day] };
  const lines = selectionCsv(scene, [0, 1]).join("").split("\r\n");
  expect(lines[1].endsWith(",96,1970-01-02")).toBe(true);
  expect(lines[2].endsWith(",0.75,,")).toBe(true);
  const columns = pointColumns(scene).slice(-2);
  expect(columns.map((column) => column.words(1))).toEqual(["missing", "missing"]);
  expect(columns.map((column) => column.title(1))).toEqual([
    "imputed as 0.5",
    "imputed as 2021-03-04",
  ]);
  expect(columns[0].title(0)).toBe("96");
});

test("columns of the table are columns of the file", () => {
  const [head, , line] = selectionCsv(columnedScene(), [5, 7]).join("").split("\r\n");
  expect(head.endsWith(",colour,wood,batch,dose,link,note")).toBe(true);
  expect(line.endsWith(",green,soft,a,7,https://trees.example/7,Damaged")).toBe(true);
});

test("a category that is missing is an empty cell", () => {
  const [, line] = selectionCsv(columnedScene(), [5]).join("").split("\r\n");
  expect(line).toContain(",,soft,a,5,");
});
