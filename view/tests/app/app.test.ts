/** The pages of the app while answers are late, and people do not wait for them. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Column, Method, Table } from "../../src/app/api";
import { App } from "../../src/app/app";
import { USUAL } from "../../src/app/table/reading";

const METHOD: Method = {
  name: "pca",
  title: "PCA",
  group: "map",
  words: "",
  uses_labels: false,
  is_start: true,
  parameters: [],
};

function table(id: string): Table {
  const counts = { kind: "number", n_rows: 9, n_missing: 0, n_distinct: 2 };
  const column = {
    ...counts,
    examples: ["0"],
    problem: "",
    odd: "",
    counts_rows: false,
    remark: "",
  };
  const columns: Column[] = [
    { ...column, name: "kind", role: "label" },
    { ...column, name: "size", role: "feature" },
    { ...column, name: "age", role: "feature", n_missing: 2 },
    { ...column, name: "note", role: "drop", n_missing: 9 },
  ];
  return {
    id,
    name: `table ${id}`,
    created: 0,
    n_rows: 9,
    n_columns: 4,
    embedded: null,
    reading: USUAL as Table["reading"],
    columns,
    notes: [],
    has_folder: false,
  };
}

/** Answers that wait until they are let through, by "METHOD path". */
const waiting = new Map<string, (() => void)[]>();
let app: App;

function letThrough(question: string): Promise<void> {
  const [first, ...others] = waiting.get(question) ?? [];
  if (first === undefined) {
    throw new Error(`Nobody asked for ${question}.`);
  }
  waiting.set(question, others);
  first();
  return settled();
}

/** Answers are read, pages opened and filled. */
function settled(): Promise<void> {
  return new Promise((done) => setTimeout(done, 5));
}

function answer(question: string): unknown {
  const [, , kind, id] = /^(\w+) \/api\/(\w+)(?:\/(\w+))?/.exec(question) ?? [];
  if (kind === "tables" && question.startsWith("POST")) {
    return table("new");
  }
  if (kind === "tables" && id) {
    return table(id);
  }
  if (kind === "runs" && question.startsWith("POST")) {
    return { id: "started" };
  }
  if (kind === "runs" && id) {
    const reading = { label: "size", id: null, drop: ["kind"] };
    const settings = { reading, method: "pca", parameters: {}, seed: 7 };
    return { id, table: "a", settings };
  }
  return kind === "methods" ? [METHOD] : [];
}

beforeEach(async () => {
  waiting.clear();
  vi.stubGlobal("fetch", (path: string, { method }: { method: string }) => {
    const question = `${method} ${path.split("?")[0]}`;
    return new Promise<Response>((resolve) => {
      const json = async () => answer(question);
      const send = () => resolve({ ok: true, status: 200, json } as Response);
      waiting.set(question, [...(waiting.get(question) ?? []), send]);
    });
  });
  await go("#/"); // so that the news of it are over
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  app = new App(el);
});

afterEach(() => {
  app.destroy();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function go(address: string): Promise<void> {
  location.hash = address;
  return settled();
}

const title = () => document.querySelector("h1")?.textContent;
const start = () =>
  [...document.querySelectorAll("button")].find((one) => one.textContent === "Start");

test("a table that is answered late does not replace the page that came after it", async () => {
  await go("#/table/a");
  await go("#/");
  expect(title()).toBe("A map of your data");
  await letThrough("GET /api/tables/a");
  await letThrough("GET /api/methods");
  expect(title()).toBe("A map of your data");
  expect(start()).toBeUndefined();
});

test("the second of two tables is shown, whichever answer is first", async () => {
  await go("#/table/a");
  await go("#/table/b");
  await letThrough("GET /api/tables/b");
  await letThrough("GET /api/methods"); // that of table a
  await letThrough("GET /api/methods");
  expect(title()).toBe("table b");
  await letThrough("GET /api/tables/a");
  expect(title()).toBe("table b");
  expect(start()).toBeDefined();
});

test("after an upload comes the page that starts a run, also after a table that was left", async () => {
  await go("#/table/a");
  await go("#/");
  const input = document.querySelector<HTMLInputElement>(".ls-app-drop input");
  const file = new File(["kind\n0"], "new.csv");
  Object.defineProperty(input, "files", { value: [file] });
  input?.dispatchEvent(new Event("change"));
  await letThrough("POST /api/tables");
  expect(location.hash).toBe("#/table/new");
  await letThrough("GET /api/tables/new");
  await letThrough("GET /api/methods");
  await letThrough("GET /api/methods");
  expect(title()).toBe("table new");
  expect(start()).toBeDefined();
});

test("an upload that ends after its page was left leads nobody away", async () => {
  const input = document.querySelector<HTMLInputElement>(".ls-app-drop input");
  Object.defineProperty(input, "files", { value: [new File([], "new.csv")] });
  input?.dispatchEvent(new Event("change"));
  await go("#/table/a");
  await letThrough("POST /api/tables");
  expect(location.hash).toBe("#/table/a");
});

test("a run that begins after its page was left leads nobody away", async () => {
  await go("#/table/a");
  await letThrough("GET /api/tables/a");
  await letThrough("GET /api/methods");
  start()?.click();
  await settled();
  await go("#/");
  await letThrough("POST /api/runs");
  expect(location.hash).toBe("#/");
});

test("what is missing is counted where it matters, and without features there is no start", async () => {
  await go("#/table/a");
  await letThrough("GET /api/tables/a");
  await letThrough("GET /api/methods");
  expect(document.body.textContent).toContain("2 values are missing in 1 column");
  for (const name of ["size", "age"]) {
    const role = document.querySelector<HTMLSelectElement>(
      `[aria-label="What ${name} is used for"]`,
    );
    if (role) {
      role.value = "drop";
      role.dispatchEvent(new Event("change"));
    }
  }
  expect(document.body.textContent).not.toContain("missing in");
  expect(start()?.disabled).toBe(true);
});

test("the choices of a run are there again, also for who comes back", async () => {
  await go("#/table/a");
  await letThrough("GET /api/tables/a");
  await letThrough("GET /api/methods");
  start()?.click();
  await settled();
  await letThrough("POST /api/runs");
  expect(location.hash).toBe("#/run/started");
  await go("#/table/a/started"); // where Back leads to
  for (const answer of [...waiting.values()].flat()) {
    answer();
  }
  await settled();
  const role = (name: string) =>
    document.querySelector<HTMLSelectElement>(`[aria-label="What ${name} is used for"]`)
      ?.value;
  expect(["kind", "size", "age", "note"].map(role)).toEqual([
    "drop",
    "label",
    "feature",
    "feature",
  ]);
  expect(document.querySelector<HTMLInputElement>("[type=number]")?.value).toBe("7");
});
