import { expect, test, vi } from "vitest";
import type { Column, Reading, Table } from "../../../src/app/api";
import { listed, readingPart } from "../../../src/app/table/reading";
import { Roles } from "../../../src/app/table/roles";

const USUAL: Reading = { decimal: ".", missing_values: [] };

function part(columns: Partial<Column>[], name = "a.csv", reading = USUAL) {
  const read = vi.fn(async () => {});
  const plain = { problem: "", odd: "", counts_rows: false, role: "drop" };
  const table = {
    name,
    reading,
    columns: columns.map((one) => ({ ...plain, ...one })),
  };
  const given = table as unknown as Table;
  const roles = new Roles(given.columns);
  return { el: readingPart(given, roles, read), read, roles };
}

test("a column that could not be read is told, and its odd value called missing", () => {
  const problem = "Column 'bmi' should hold numbers, but holds '-' in row 1.";
  const { el, read, roles } = part([{ name: "bmi", problem, odd: "-" }, {}], "a.csv", {
    decimal: ",",
    missing_values: ["x"],
  });
  expect(el.textContent).toContain(`${problem} It is left out.`);
  el.querySelector("button")?.click();
  expect(read).toHaveBeenCalledWith({ decimal: ",", missing_values: ["x", "-"] });
  roles.assign("bmi", "feature");
  expect(el.textContent).toContain(`${problem} No feature can be made of it.`);
  roles.assign("bmi", "label"); // which any words can be
  expect(el.querySelector<HTMLElement>(".ls-app-problem")?.hidden).toBe(true);
});

test("many columns that could not be read are counted", () => {
  const { el } = part(Array.from({ length: 9 }, () => ({ problem: "Odd." })));
  expect(el.querySelectorAll(".ls-app-problem")).toHaveLength(4);
  expect(el.textContent).toContain("5 more columns alike.");
  expect(el.querySelector("button")).toBe(null);
});

test("a person says how a text file is written; other files say it themselves", () => {
  const { el, read } = part([], "trees.CSV.gz");
  const [sign] = el.querySelectorAll("select");
  const [missing] = el.querySelectorAll("input");
  if (sign && missing) {
    [sign.value, missing.value] = [",", "-, not known"];
    missing.dispatchEvent(new Event("change"));
  }
  const expected = { decimal: ",", missing_values: ["-", "not known"] };
  expect(read).toHaveBeenCalledWith(expected);
  expect(part([], "trees.parquet").el.querySelector("select")).toBe(null);
});

test("words of a list are parted by commas, none twice", () => {
  expect(listed(" -, not known,, - ")).toEqual(["-", "not known"]);
});
