/** Whose code is in a built file: its packages, what these copied, and their licenses. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

export interface Notice {
  /** Name and version, or what was copied. */
  what: string;
  spdx: string;
  /** Lines that say whose it is. */
  owners: string[];
  /** The license without its title and owners; "" if it did not come along. */
  text: string;
}

interface Package {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
  dependencies?: Record<string, string>;
}

// What packages have copied from others into their own files: comments there say so.
export const COPIED: Notice[] = [];

const OWNER = /^\s*copyright\s*(\(c\)|©|\d)/i;
const TITLE = /^[^.]{0,60}licen[sc]e\b[^.]{0,10}$/i;
const COMMENT = /(?:@copyright|copyright \(c\))\s*([^\n*]+)/gi;

/** Put the notices before each built file, where they stay, and into a file beside. */
export function withLicenses(): Plugin {
  return {
    name: "labelscape-licenses",
    enforce: "post",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const foreign = chunks
        .flatMap((chunk) => Object.keys(chunk.modules))
        .filter((path) => path.includes("/node_modules/"))
        .map((path) => path.replace(/^\0/, "").replace(/\?.*/, ""));
      const words = licenses(foreign);
      for (const chunk of chunks) {
        chunk.code = `/*!\n${words.replaceAll("*/", "* /")}*/\n${chunk.code}`;
      }
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: words });
    },
  };
}

/** Return the notices for modules of packages; refuse those that we may not pass on. */
export function licenses(modules: string[], copied: Notice[] = COPIED): string {
  const notices = [...packagesOf(modules).map(noticeOf), ...copied];
  checkOwners(modules, notices);
  const groups = new Map<string, Notice[]>();
  for (const one of notices) {
    const text = one.text || textFor(one, notices);
    groups.set(text, [...(groups.get(text) ?? []), one]);
  }
  if (groups.size === 0) {
    return "This file holds no code of others.\n";
  }
  const parts = [...groups].map(
    ([text, ones]) => `${ones.map(shown).join("\n")}\n\n${text}`,
  );
  return `This file holds code of others, under the licenses below.\n\n${parts.join("\n\n")}\n`;
}

/** Return the folders of packages, with all that they need: it may be inside of them. */
function packagesOf(modules: string[]): string[] {
  const found = new Set<string>();
  const add = (folder: string) => {
    if (found.has(folder)) return;
    found.add(folder);
    for (const name of Object.keys(read(folder).dependencies ?? {})) {
      add(installed(name, folder));
    }
  };
  for (const path of modules) add(folderOf(path));
  return [...found].sort();
}

function folderOf(path: string): string {
  const [inside, scoped] = ["/node_modules/", "/node_modules/@"].map((part) =>
    path.lastIndexOf(part),
  ) as [number, number];
  const parts = path.slice(inside + "/node_modules/".length).split("/");
  const name = parts.slice(0, inside === scoped ? 2 : 1).join("/");
  return `${path.slice(0, inside)}/node_modules/${name}`;
}

function installed(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
  }
  throw new Error(`${name}, which ${from} needs, is not installed.`);
}

function read(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
}

function noticeOf(folder: string): Notice {
  const { name, version, license = "", author = "" } = read(folder);
  const file = readdirSync(folder).find((one) =>
    /^licen[sc]e(\.(md|txt))?$/i.test(one),
  );
  const lines = file
    ? readFileSync(join(folder, file), "utf-8").trim().split(/\r?\n/)
    : [];
  const owners = lines.filter((line) => OWNER.test(line)).map((line) => line.trim());
  const by = typeof author === "string" ? author : author.name;
  return {
    what: `${name} ${version}`,
    spdx: license,
    owners: owners.length
      ? owners
      : [`Copyright (c) ${by || `the authors of ${name}`}`],
    text: bodyOf(lines),
  };
}

/** Return a license with its paragraphs filled, so that equal ones read the same. */
function bodyOf(lines: string[]): string {
  const words = lines.filter(
    (line) => !OWNER.test(line) && !TITLE.test(line.replace(/:$/, "")),
  );
  const paragraphs = words
    .join("\n")
    .trim()
    .split(/\n\s*\n/);
  return paragraphs.map((part) => filled(part.trim().split(/\s+/))).join("\n\n");
}

function filled(words: string[]): string {
  const lines = [""];
  for (const word of words) {
    const line = lines[lines.length - 1] ?? "";
    if (line.length + word.length > 78) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}

/** Return the text of a license that did not come along: another's, or one that we keep. */
function textFor(one: Notice, notices: Notice[]): string {
  const same = notices.find((other) => other.spdx === one.spdx && other.text);
  if (same) return same.text;
  const kept = resolve(import.meta.dirname, "licenses", `${one.spdx}.txt`);
  if (one.spdx && existsSync(kept))
    return bodyOf(readFileSync(kept, "utf-8").split("\n"));
  throw new Error(
    `${one.what} has no license file. Ask its authors, or put the text of its license ` +
      `(${one.spdx || "which it does not name"}) into view/licenses.`,
  );
}

/** Refuse code whose comments name an owner of whom the notices say nothing. */
function checkOwners(modules: string[], notices: Notice[]): void {
  const known = notices.flatMap((one) => one.owners).join("\n");
  for (const path of modules.filter((one) => existsSync(one))) {
    for (const [, words = ""] of readFileSync(path, "utf-8").matchAll(COMMENT)) {
      const owner = words.replace(/[^\p{L} ]/gu, "").trim();
      if (!known.includes(owner)) {
        throw new Error(
          `${path} holds code of ${owner}. Add it to COPIED in licenses.ts.`,
        );
      }
    }
  }
}

function shown({ what, spdx, owners }: Notice): string {
  return [`${what} (${spdx})`, ...owners.map((owner) => `  ${owner}`)].join("\n");
}
