// @vitest-environment node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { licenses } from "../licenses";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "labelscape-licenses-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const LICENSE = "The Odd License\n\nCopyright (c) 2020 Ada\n\nDo as you\nlike.\n";

/** Install a package, and return the path of its module. */
function installed(
  name: string,
  about: object,
  files: Record<string, string> = {},
): string {
  const place = join(folder, "node_modules", name);
  const all = { "package.json": JSON.stringify({ name, version: "1.2.3", ...about }) };
  for (const [file, text] of Object.entries({ "index.js": "", ...all, ...files })) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  return join(place, "index.js");
}

test("a package is named with its version, its owner and its license", () => {
  const module = installed("@ada/one", { license: "Odd" }, { LICENSE });
  const words = licenses([module], []);
  expect(words).toContain("@ada/one 1.2.3 (Odd)\n  Copyright (c) 2020 Ada\n");
  expect(words).toContain("\n\nDo as you like.\n");
});

test("what a package needs is named as well: it may be inside of it", () => {
  installed("two", { license: "Odd", dependencies: { one: "1" } }, { LICENSE });
  const one = installed(
    "one",
    { license: "Odd", dependencies: { two: "1" } },
    { LICENSE },
  );
  const words = licenses([one], []);
  expect(words).toContain("one 1.2.3 (Odd)");
  expect(words).toContain("two 1.2.3 (Odd)");
  expect(words.split("Do as you like.")).toHaveLength(2);
});

test("a license text that did not come along is taken from who has the same", () => {
  const one = installed("one", { license: "Odd" }, { LICENSE });
  const two = installed("two", { license: "Odd", author: { name: "Bea" } });
  expect(licenses([one, two], [])).toContain("two 1.2.3 (Odd)\n  Copyright (c) Bea\n");
});

test("a package without any license stops the build in words", () => {
  const module = installed("one", { license: "Odd" });
  expect(() => licenses([module], [])).toThrow("one 1.2.3 has no license file");
});

test("copied code whose owner nobody names stops the build in words", () => {
  const code = "/** Of elsewhere.\n * @copyright Eve 2013\n */";
  const module = installed("one", { license: "Odd" }, { LICENSE, "index.js": code });
  expect(() => licenses([module], [])).toThrow("holds code of Eve");
});
