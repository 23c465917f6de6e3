/** A table is loaded, and a person says how its file is written. */

import { counted, visibleText } from "../../scene/format";
import { html, select } from "../../ui/elements";
import { api, type Column, type Reading, type Role, type Table } from "../api";
import { actionButton, complain, waited } from "../page_parts";
import type { Roles } from "./roles";

// More are only counted: they most likely have the same cause.
const SHOWN = 4;
/** A file of which nothing is said: all but these two is detected. */
export const USUAL: Reading = {
  decimal: ".",
  missing_values: [],
  delimiter: null,
  encoding: null,
  header: null,
  skip: null,
  skip_footer: null,
  sheet: null,
};
const TEXT_FILE = /\.(csv|tsv|tab|txt|data|dat)(\.gz)?$/i;
const EXCEL_FILE = /\.xls[xm]$/i;
const DETECTED = "detected";
const DELIMITERS: Readonly<Record<string, string>> = {
  ",": "a comma",
  ";": "a semicolon",
  "\t": "a tab",
  "|": "a bar",
  " ": "blanks",
};

/** What a column that could not be read gives, by what it is used for. */
const ENDS: Readonly<Record<Role, string>> = {
  drop: "It is left out.",
  feature: "No feature can be made of it.",
  label: "",
  id: "",
  group: "",
  show: "",
  image: "",
  text: "",
};

/** `read` reads the table again, as it is written. */
export function readingPart(
  table: Table,
  roles: Roles,
  read: (reading: Reading) => Promise<void>,
): HTMLElement {
  const problems = table.columns.filter(({ problem }) => problem !== "");
  const more = problems.length - SHOWN;
  return html(
    "div",
    { class: "ls-app-reading" },
    ...problems.slice(0, SHOWN).map((column) => sentence(column, table, roles, read)),
    more > 0
      ? html("p", {}, `${counted(more, "more column", "more columns")} alike.`)
      : null,
    ...table.notes.map((words) =>
      html("p", { class: "ls-app-note" }, visibleText(words)),
    ),
    isWritten(table.name) ? fields(table, read) : null,
  );
}

/** Ask how a file is written that could not be read; null if it says so itself. */
function readingOf(
  name: string,
  read: (reading: Reading) => Promise<void>,
): HTMLElement | null {
  if (!isWritten(name)) {
    return null;
  }
  const asked = fields({ name, reading: USUAL }, read);
  asked.open = true;
  return html("div", { class: "ls-app-reading" }, asked);
}

function isWritten(name: string): boolean {
  return TEXT_FILE.test(name) || EXCEL_FILE.test(name);
}

function sentence(
  { name, problem, odd }: Column,
  { reading }: Table,
  roles: Roles,
  read: (reading: Reading) => Promise<void>,
): HTMLElement {
  const missing_values = [...reading.missing_values, odd];
  const asMissing = `Count “${odd}” as missing`;
  const words = html("span", {});
  const el = html(
    "p",
    { class: "ls-app-problem" },
    words,
    canBeListed(odd)
      ? actionButton(asMissing, () => read({ ...reading, missing_values }))
      : null,
  );
  roles.watch(() => {
    const end = ENDS[roles.of(name)];
    words.textContent = visibleText(`${problem} ${end}`);
    el.hidden = end === ""; // classes and names are taken as they are
  });
  return el;
}

function fields(
  { name, reading }: { name: string; reading: Reading },
  read: (reading: Reading) => Promise<void>,
): HTMLDetailsElement {
  const again = () =>
    void waited(details, () =>
      read({
        decimal: decimal.value as Reading["decimal"],
        missing_values: listed(missing.value),
        delimiter: delimiter.value || null,
        encoding: encoding.value.trim() || null,
        header: header.value === "" ? null : header.value === "names",
        skip: wholeOf(skip),
        skip_footer: wholeOf(footer),
        sheet: sheet.value.trim() || null,
      }),
    );
  const choice = (options: object, chosen: string) =>
    select(Object.entries(options), again, { chosen });
  const decimal = choice(
    { ".": "a point: 1.5", ",": "a comma: 1,5" },
    reading.decimal ?? ".",
  );
  const sign = reading.delimiter ?? "";
  const signs: Record<string, string> = { "": DETECTED, ...DELIMITERS };
  signs[sign] ??= `“${sign}”`;
  const delimiter = choice(signs, sign);
  const missing = typed(reading.missing_values?.join(", "), "-, unknown", again);
  const encoding = typed(reading.encoding, DETECTED, again);
  const header = choice(
    { "": DETECTED, names: "names of columns", row: "a row" },
    reading.header === null ? "" : reading.header ? "names" : "row",
  );
  const sheet = typed(reading.sheet, "the first with a table", again);
  const skip = typed(reading.skip, "auto", again, "number");
  const footer = typed(reading.skip_footer, "auto", again, "number");
  const isText = TEXT_FILE.test(name);
  const details = html(
    "details",
    { open: !isUsual(reading) },
    html("summary", {}, "How the file is written"),
    html(
      "div",
      { class: "ls-app-common" },
      isText ? labeled("Between cells", delimiter) : labeled("Sheet", sheet),
      isText ? labeled("Encoding", encoding) : null,
      labeled("Decimal sign", decimal),
      labeled("First line", header),
      labeled("Lines above the table", skip),
      labeled("Lines below the table", footer),
      labeled("Also missing, besides NA, ? and such", missing),
    ),
  );
  return details;
}

function labeled(words: string, field: HTMLElement): HTMLElement {
  return html("label", {}, `${words} `, field);
}

function typed(
  value: string | number | null | undefined,
  placeholder: string,
  onchange: () => void,
  type: "text" | "number" = "text",
): HTMLInputElement {
  const limits = type === "number" ? { min: 0, step: 1 } : {};
  return html("input", {
    type,
    value: String(value ?? ""),
    placeholder,
    onchange,
    ...limits,
  });
}

/** What a field of a number says; null for an empty or wrong one. */
function wholeOf(input: HTMLInputElement): number | null {
  const number = Number(input.value);
  return input.value === "" || !Number.isInteger(number) || number < 0 ? null : number;
}

function isUsual(reading: Reading): boolean {
  const names = Object.keys(USUAL) as (keyof Reading)[];
  return names.every((name) => String(reading[name]) === String(USUAL[name]));
}

/** Whether a value is a word that may mean "missing", and not a text. */
function canBeListed(odd: string): boolean {
  return odd !== "" && odd.length <= 40 && !odd.includes(",");
}

/** The words of a list that is written with commas. */
export function listed(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== "");
}

const FORMATS = ".csv,.tsv,.txt,.gz,.xlsx,.parquet,.feather,.arrow,.npy,.npz";
const INVITATION =
  "CSV, TSV, Excel, Parquet, Arrow, npy or npz. It stays on this machine.";

/** A place for files; `taken` gets the id of a table that was loaded. */
export function dropZone(taken: (table: string) => void | Promise<void>): HTMLElement {
  const input = html("input", { type: "file", accept: FORMATS });
  const words = html("span", { role: "status" }, INVITATION);
  const zone: HTMLElement = html(
    "label",
    { class: "ls-app-drop" },
    html("strong", {}, "Drop a table here, or choose a file"),
    words,
    input,
  );
  let asked: HTMLElement | null = null;
  const read = async (file: File, reading?: Reading) => {
    words.textContent = `Reading ${file.name} …`;
    try {
      await taken((await api.upload(file, reading)).id);
    } finally {
      words.textContent = INVITATION;
      input.value = ""; // so that the same file can be chosen again
    }
  };
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) {
      void waited(zone, async () => {
        complain(zone, ""); // of the file before
        asked?.remove();
        try {
          await read(file);
        } catch (error) {
          asked = readingOf(file.name, (reading) => read(file, reading));
          zone.after(...(asked ? [asked] : [])); // below what was wrong with it
          throw error;
        }
      });
    }
  };
  const over = (isOver: boolean) => zone.classList.toggle("ls-over", isOver);
  input.addEventListener("change", () => take(input.files));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  zone.addEventListener("dragleave", () => over(false));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    take(event.dataTransfer?.files);
  });
  return zone;
}
