import { expect, test, vi } from "vitest";
import type { Column, Table } from "../../../src/app/api";
import { listed, readingPart, USUAL } from "../../../src/app/table/reading";
import { Roles } from "../../../src/app/table/roles";

function part(columns: Partial<Column>[], name = "a.csv", reading = USUAL) {
  const read = vi.fn(async () => {});
  const plain = { problem: "", odd: "", counts_rows: false, remark: "", role: "drop" };
  const table = {
    name,
    reading,
    notes: ["left out 1 line"],
    columns: columns.map((one) => ({ ...plain, ...one })),
  };
  const given = table as unknown as Table;
  const roles = new Roles(given.columns);
  return { el: readingPart(given, roles, read), read, roles };
}

test("a column that could not be read is told, and its odd value called missing", () => {
  const problem = "Column 'bmi' should contain numbers, but contains '-' in row 1.";
  const { el, read, roles } = part([{ name: "bmi", problem, odd: "-" }, {}], "a.csv", {
    ...USUAL,
    decimal: ",",
    missing_values: ["x"],
  });
  expect(el.textContent).toContain(`${problem} The column is left out.`);
  el.querySelector("button")?.click();
  const missing_values = ["x", "-"];
  expect(read).toHaveBeenCalledWith({ ...USUAL, decimal: ",", missing_values });
  roles.assign("bmi", "feature");
  expect(el.textContent).toContain(
    `${problem} The column cannot be used as a feature.`,
  );
  roles.assign("bmi", "label"); // which any words can be
  expect(el.querySelector<HTMLElement>(".ls-app-problem")?.hidden).toBe(true);
});

test("many columns that could not be read are counted", () => {
  const { el } = part(Array.from({ length: 9 }, () => ({ problem: "Odd." })));
  expect(el.querySelectorAll(".ls-app-problem")).toHaveLength(4);
  expect(el.textContent).toContain("The same applies to 5 more columns.");
  expect(el.querySelector("button")).toBe(null);
});

test("a person says how a text file is written; other files say it themselves", () => {
  const { el, read } = part([], "trees.CSV.gz");
  const field = (words: string) => {
    const labels = [...el.querySelectorAll("label")];
    const found = labels.find((one) => one.textContent?.startsWith(words));
    return found?.querySelector("input, select") as HTMLInputElement;
  };
  field("Separator between cells").value = ";";
  field("Encoding").value = " cp1252 ";
  field("Decimal sign").value = ",";
  field("First line").value = "row";
  field("Samples are in").value = "columns";
  field("Lines above").value = "3";
  field("Lines below").value = "-1"; // no number of lines
  field("More missing-value codes").value = "-, not known";
  field("More missing-value codes").dispatchEvent(new Event("change"));
  expect(read).toHaveBeenCalledWith({
    decimal: ",",
    missing_values: ["-", "not known"],
    delimiter: ";",
    encoding: "cp1252",
    header: false,
    transpose: true,
    skip: 3,
    skip_footer: null,
    sheet: null,
  });
  expect(el.textContent).toContain("left out 1 line");
  expect(part([], "trees.parquet").el.querySelector("select")).toBe(null);
});

test("a sheet is asked for where there are sheets, and what was said is open", () => {
  const sheets = part([], "trees.xlsx");
  expect(sheets.el.textContent).toContain("Sheet");
  expect(sheets.el.textContent).not.toContain("Encoding");
  expect(sheets.el.querySelector("details")?.open).toBe(false);
  const told = { ...USUAL, sheet: "Trees", delimiter: "~" };
  const { el } = part([], "trees.csv", told);
  expect(el.querySelector("details")?.open).toBe(true);
  expect(el.querySelector("select")?.value).toBe("~");
});

test("words of a list are parted by commas, none twice", () => {
  expect(listed(" -, not known,, - ")).toEqual(["-", "not known"]);
});
