import { expect, test, vi } from "vitest";
import type { Column, Role, Table } from "../../../src/app/api";
import { LabelChoice } from "../../../src/app/table/columns";
import { Roles } from "../../../src/app/table/roles";

function column(name: string, role: Role, more: Partial<Column> = {}): Column {
  const counts = { n_rows: 90, n_missing: 0, n_distinct: 3 };
  const plain = {
    kind: "nominal",
    examples: ["oak", "elm"],
    problem: "",
    odd: "",
    counts_rows: false,
    remark: "",
  };
  return { name, role, ...plain, ...counts, ...more };
}

const COLUMNS = [
  column("name", "id", { n_distinct: 90 }),
  column("height", "feature"),
  column("kind", "label", { n_missing: 2 }),
];

test("one column holds the classes: the one before becomes a feature", () => {
  const roles = new Roles(COLUMNS);
  roles.assign("height", "label");
  expect(roles.the("label")).toBe("height");
  expect(roles.of("kind")).toBe("feature");
  expect(roles.all("feature")).toEqual(["kind"]);
});

test("nobody may name the rows", () => {
  const roles = new Roles(COLUMNS);
  roles.assign(null, "id");
  expect(roles.the("id")).toBe(null);
  expect(roles.of("name")).toBe("feature");
});

test("any number may be left out, and whoever watches is told", () => {
  const roles = new Roles(COLUMNS);
  const told = vi.fn();
  roles.watch(told);
  roles.assign("name", "drop");
  roles.assign("height", "drop");
  expect(roles.all("drop")).toEqual(["name", "height"]);
  expect(told).toHaveBeenCalledTimes(3);
});

test("the choice begins with the guess, shows classes, and doubts what are none", () => {
  const roles = new Roles(COLUMNS);
  const { el } = new LabelChoice({ columns: COLUMNS } as unknown as Table, roles);
  const [label, names] = el.querySelectorAll("select");
  const preview = () => el.querySelector(".ls-app-preview")?.textContent;
  expect([label?.value, names?.value]).toEqual(["2", "0"]);
  expect(preview()).toBe(
    "3 classesoakelmand 1 more 2 rows without a class are left out.",
  );
  roles.assign("name", "label");
  expect([label?.value, names?.value]).toEqual(["0", "-1"]);
  expect(preview()).toContain("Does this column really contain classes?");
  roles.assign(null, "label");
  expect(preview()).toContain("Every method needs the column");
});

test("the roles of a run are taken, as far as its columns are there", () => {
  const roles = new Roles(COLUMNS);
  const run = { label: "height", id: "gone", group: null };
  const looked = { show: [], image: null, text: null };
  roles.restore({ ...run, ...looked, drop: ["name"] });
  expect([roles.the("label"), roles.the("id")]).toEqual(["height", null]);
  expect([roles.all("drop"), roles.all("feature")]).toEqual([["name"], ["kind"]]);
  roles.restore({ ...run, drop: [], show: ["name"], image: "gone", text: "kind" });
  expect([roles.all("show"), roles.the("text")]).toEqual([["name"], "kind"]);
  expect(roles.the("image")).toBe(null);
});

test("a column that counts the rows is left out, and one can be the subject", () => {
  const [name, height, kind] = COLUMNS as [Column, Column, Column];
  const roles = new Roles([name, { ...height, counts_rows: true }, kind]);
  expect(roles.all("drop")).toEqual(["height"]);
  roles.assign("name", "group");
  expect(roles.the("group")).toBe("name");
  roles.assign("height", "group");
  expect([roles.the("group"), roles.of("name")]).toEqual(["height", "show"]);
});

test("only what differs from the guess is a change", () => {
  const roles = new Roles(COLUMNS);
  expect(roles.changes()).toEqual([]);
  roles.assign("height", "label");
  expect(roles.changes()).toEqual([
    ["height", "label"],
    ["kind", "feature"],
  ]);
});

test("a subject is proposed, and is a feature only if a person says so", () => {
  const columns = [...COLUMNS, column("patient", "group"), column("day", "show")];
  const roles = new Roles(columns);
  const { el } = new LabelChoice({ columns } as unknown as Table, roles);
  const subject = el.querySelectorAll("select")[2];
  expect(subject?.value).toBe("3");
  expect(roles.keptFeatures()).toEqual([]);
  roles.assign(null, "group");
  expect([subject?.value, roles.of("patient")]).toEqual(["-1", "show"]);
  expect(roles.keptFeatures()).toEqual([]);
  roles.assign("patient", "feature");
  roles.assign("height", "label");
  expect(roles.keptFeatures()).toEqual(["patient"]);
});
