// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../src");
/** The folders and single files of `src`. Each imports only from those before it. */
const FLOORS = [
  ...["css", "format", "geometry", "messages", "scene", "state", "context", "hosts"],
  ...["color", "ui", "charts", "files", "map", "regions", "panels", "save", "stages"],
  ...["view", "index", "page", "app"],
];

/** The floor of a path in `src`; -1 for other paths. */
function floorOf(path: string): number {
  return FLOORS.indexOf(path.split("/")[0].replace(/\.ts$/, ""));
}

test("folders import only from the floors below", () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts"));
  const upwards = files.flatMap((name) => {
    const here = floorOf(name);
    expect(here, `the floor of ${name}`).toBeGreaterThan(-1);
    const text = readFileSync(join(SOURCES, name), "utf8");
    return [...text.matchAll(/\b(?:from|import)[ (]+"(\.[^"]*)"/g)]
      .map(([, to]) => join(name, "..", to))
      .filter((to) => floorOf(to) > here)
      .map((to) => `${name} imports ${to}`);
  });
  expect(files.length).toBeGreaterThan(100);
  expect(upwards).toEqual([]);
});
