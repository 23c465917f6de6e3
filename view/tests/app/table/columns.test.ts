import { beforeEach, expect, test } from "vitest";
import type { Column } from "../../../src/app/api";
import { columnField, columnList } from "../../../src/app/table/columns";
import { Roles } from "../../../src/app/table/roles";

function columns(n: number): Column[] {
  return Array.from({ length: n }, (_, i) => ({
    name: i === 3 ? "two\nlines" : `gene ${i}`,
    kind: "number",
    n_rows: 9,
    n_missing: 0,
    n_distinct: 9,
    examples: [],
    role: "feature",
    problem: "",
    odd: "",
    counts_rows: false,
    remark: "",
  }));
}

beforeEach(() => document.body.replaceChildren());

function typed(n: number) {
  const chosen: (string | null)[] = [];
  const field = columnField(columns(n), "choose …", (name) => {
    chosen.push(name);
    field.show(name);
  });
  document.body.append(field.el);
  const input = field.el.querySelector("input") as HTMLInputElement;
  const write = (words: string) => {
    input.value = words;
    input.dispatchEvent(new Event("input"));
    input.dispatchEvent(new Event("change"));
  };
  const suggested = () =>
    Array.from(field.el.querySelectorAll("option"), (option) => option.value);
  return { chosen, input, write, suggested };
}

test("few columns are a list, very many are typed", () => {
  const choose = () => {};
  expect(columnField(columns(500), "", choose).el.tagName).toBe("SELECT");
  expect(
    columnField(columns(501), "", choose).el.querySelector("input"),
  ).not.toBeNull();
});

test("of very many columns some hundreds are suggested, those with the typed words", () => {
  const { input, suggested } = typed(20_000);
  expect(suggested()).toHaveLength(200);
  input.value = "GENE 1999";
  input.dispatchEvent(new Event("input"));
  expect(suggested()).toEqual(["gene 1999", ...sequence(19_990, 10)]);
});

function sequence(first: number, n: number): string[] {
  return Array.from({ length: n }, (_, k) => `gene ${first + k}`);
}

test("a typed column is chosen by its name on one line, and can be taken back", () => {
  const { write, chosen } = typed(600);
  write("two lines");
  write("gene 17");
  write("");
  expect(chosen).toEqual(["two\nlines", "gene 17", null]);
});

test("a name that no column has is told, and what was chosen stays", () => {
  const { write, chosen, input } = typed(600);
  write("gene 17");
  write("gene x");
  expect(chosen).toEqual(["gene 17"]);
  expect(input.value).toBe("gene 17");
  expect(document.querySelector("[role=alert]")?.textContent).toBe(
    "There is no column “gene x”.",
  );
  write("gene 18");
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("a column far down the list is found, given a role, and shows it", () => {
  const roles = new Roles(columns(5000));
  const el = columnList(columns(5000), roles, false);
  document.body.append(el);
  const rows = () => el.querySelectorAll("tbody tr");
  expect(rows()).toHaveLength(200);
  expect(el.textContent).toContain("4,800 more columns with the detected use");
  const search = el.querySelector("input[type=search]") as HTMLInputElement;
  search.value = "gene 4321";
  search.dispatchEvent(new Event("input"));
  expect(rows()).toHaveLength(1);
  const select = el.querySelector("select") as HTMLSelectElement;
  select.value = "drop";
  select.dispatchEvent(new Event("change"));
  expect(roles.all("drop")).toEqual(["gene 4321"]);
  roles.assign("gene 4321", "label");
  expect(select.value).toBe("label");
  search.value = "nobody";
  search.dispatchEvent(new Event("input"));
  expect(el.textContent).toContain("No column has that name.");
});
