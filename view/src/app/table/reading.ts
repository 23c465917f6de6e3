/** How a text file is written: what could not be read of it, and what a person says. */

import { counted } from "../../scene/words/format";
import { visibleText } from "../../scene/words/text";
import { html } from "../../ui/elements";
import type { Column, Reading, Role, Table } from "../api";
import { actionButton, waited } from "../page_parts";
import type { Roles } from "./roles";

// More than these nobody reads: they most likely have the same cause.
const SHOWN = 4;
const USUAL: Reading = { decimal: ".", missing_values: [] };
const TEXT_FILE = /\.(csv|tsv|tab|txt|data|dat)(\.gz)?$/i;
const EXCEL_FILE = /\.xls[xm]$/i;
const FOUND_OUT = "found out";
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
export function readingOf(
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
  { name, reading }: Pick<Table, "name" | "reading">,
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
  const decimal = choice({ ".": "a point: 1.5", ",": "a comma: 1,5" }, again);
  decimal.value = reading.decimal;
  const delimiter = choice({ "": FOUND_OUT, ...DELIMITERS }, again);
  if (reading.delimiter && !(reading.delimiter in DELIMITERS)) {
    const sign = reading.delimiter;
    delimiter.append(html("option", { value: sign }, `“${sign}”`));
  }
  delimiter.value = reading.delimiter ?? "";
  const missing = typed(reading.missing_values.join(", "), "-, unknown", again);
  const encoding = typed(reading.encoding, FOUND_OUT, again);
  const header = choice(
    { "": FOUND_OUT, names: "names of columns", row: "a row" },
    again,
  );
  header.value = reading.header == null ? "" : reading.header ? "names" : "row";
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

function choice(
  options: Readonly<Record<string, string>>,
  onchange: () => void,
): HTMLSelectElement {
  return html(
    "select",
    { onchange },
    ...Object.entries(options).map(([value, words]) =>
      html("option", { value }, words),
    ),
  );
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

/** What a field of a number says; an empty or wrong one leaves it to be found out. */
function wholeOf(input: HTMLInputElement): number | null {
  const number = Number(input.value);
  return input.value === "" || !Number.isInteger(number) || number < 0 ? null : number;
}

function isUsual({ decimal, missing_values, ...others }: Reading): boolean {
  const isFoundOut = Object.values(others).every((value) => value === null);
  return decimal === "." && missing_values.length === 0 && isFoundOut;
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
