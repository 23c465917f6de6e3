/** Loading a table, and the format of its file. */

import { visibleText } from "../../format";
import { html, select } from "../../ui/elements";
import { api, type Column, type Reading, type Table } from "../api";
import { READING } from "../messages";
import { actionButton, complain, waited } from "../page_parts";
import type { Roles } from "./roles";

// Further columns are only counted, because they probably have the same cause.
const SHOWN = 4;
/** A reading without settings: everything is detected except these two. */
export const USUAL: Reading = {
  decimal: ".",
  missing_values: [],
  delimiter: null,
  encoding: null,
  header: null,
  transpose: null,
  skip: null,
  skip_footer: null,
  sheet: null,
};
const TEXT_FILE = /\.(csv|tsv|tab|txt|data|dat)(\.gz)?$/i;
const EXCEL_FILE = /\.xls[xm]$/i;
/** `read` reads the table again with another format. */
export function readingPart(
  table: Table,
  roles: Roles,
  read: (reading: Reading) => Promise<void>,
): HTMLElement {
  const problems = table.columns.filter(({ problem }) => problem !== "");
  const more = problems.length - SHOWN;
  return html(
    "div.ls-app-reading",
    ...problems.slice(0, SHOWN).map((column) => sentence(column, table, roles, read)),
    more > 0 ? html("p", READING.moreColumns(more)) : null,
    ...table.notes.map((words) => html("p.ls-app-note", visibleText(words))),
    isWritten(table.name) ? fields(table, read) : null,
  );
}

/** Show fields for the format of a file that could not be read; null if the format is known. */
function readingOf(
  name: string,
  read: (reading: Reading) => Promise<void>,
): HTMLElement | null {
  if (!isWritten(name)) {
    return null;
  }
  const fieldsBelow = fields({ name, reading: USUAL }, read);
  fieldsBelow.open = true;
  return html("div.ls-app-reading", fieldsBelow);
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
  const words = html("span");
  const el = html(
    "p.ls-app-problem",
    words,
    canBeListed(odd)
      ? actionButton(READING.asMissing(odd), () => read({ ...reading, missing_values }))
      : null,
  );
  roles.watch(() => {
    const role = roles.of(name);
    const end = role === "drop" ? READING.leftOut : READING.notFeature;
    words.textContent = visibleText(`${problem} ${end}`);
    el.hidden = role !== "drop" && role !== "feature"; // other columns are used unchanged
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
        transpose: samples.value === "" ? null : samples.value === "columns",
        skip: wholeOf(skip),
        skip_footer: wholeOf(footer),
        sheet: sheet.value.trim() || null,
      }),
    );
  const choice = (options: object, chosen: string) =>
    select(Object.entries(options), again, { chosen });
  const decimal = choice(READING.decimals, reading.decimal ?? ".");
  const sign = reading.delimiter ?? "";
  const signs: Record<string, string> = { "": READING.detected, ...READING.delimiters };
  signs[sign] ??= READING.quoted(sign);
  const delimiter = choice(signs, sign);
  const missing = typed(
    reading.missing_values?.join(", "),
    READING.missingExample,
    again,
  );
  const encoding = typed(reading.encoding, READING.detected, again);
  const header = choice(
    { "": READING.detected, names: READING.names, row: READING.row },
    reading.header === null ? "" : reading.header ? "names" : "row",
  );
  const samples = choice(
    { "": READING.detected, rows: READING.rows, columns: READING.columns },
    reading.transpose === null ? "" : reading.transpose ? "columns" : "rows",
  );
  const sheet = typed(reading.sheet, READING.firstSheet, again);
  const skip = typed(reading.skip, READING.auto, again, "number");
  const footer = typed(reading.skip_footer, READING.auto, again, "number");
  const isText = TEXT_FILE.test(name);
  const details = html(
    "details",
    { open: !isUsual(reading) },
    html("summary", READING.summary),
    html(
      "div.ls-app-common",
      isText ? labeled(READING.delimiter, delimiter) : labeled("Sheet", sheet),
      isText ? labeled("Encoding", encoding) : null,
      labeled(READING.decimal, decimal),
      labeled(READING.firstLine, header),
      labeled(READING.samples, samples),
      labeled(READING.above, skip),
      labeled(READING.below, footer),
      labeled(READING.missing, missing),
    ),
  );
  return details;
}

function labeled(words: string, field: HTMLElement): HTMLElement {
  return html("label", `${words} `, field);
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

/** The number in a field; null if the field is empty or has no whole number. */
function wholeOf(input: HTMLInputElement): number | null {
  const number = Number(input.value);
  return input.value === "" || !Number.isInteger(number) || number < 0 ? null : number;
}

function isUsual(reading: Reading): boolean {
  const names = Object.keys(USUAL) as (keyof Reading)[];
  return names.every((name) => String(reading[name]) === String(USUAL[name]));
}

/** Whether a value may be a code for "missing", instead of a text. */
function canBeListed(odd: string): boolean {
  return odd !== "" && odd.length <= 40 && !odd.includes(",");
}

/** The entries of a list that is separated by commas. */
export function listed(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== "");
}

export const FORMATS = ".csv,.tsv,.txt,.gz,.xlsx,.parquet,.feather,.arrow,.npy,.npz";

/** A drop zone for files; `taken` is called with the id of a loaded table. */
export function dropZone(
  onLoaded: (table: string) => void | Promise<void>,
): HTMLElement {
  const input = html("input", { type: "file", accept: FORMATS });
  const words = html("span", { role: "status" }, READING.formats);
  const zone: HTMLElement = html(
    "label.ls-app-drop",
    html("strong", READING.drop),
    words,
    input,
  );
  let fieldsBelow: HTMLElement | null = null;
  const read = async (file: File, reading?: Reading) => {
    words.textContent = READING.reading(file.name);
    try {
      await onLoaded((await api.upload(file, reading)).id);
    } finally {
      words.textContent = READING.formats;
      input.value = ""; // so that the user can choose the same file again
    }
  };
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) {
      void waited(zone, async () => {
        complain(zone, ""); // clear the message about an earlier file
        fieldsBelow?.remove();
        try {
          await read(file);
        } catch (error) {
          fieldsBelow = readingOf(file.name, (reading) => read(file, reading));
          zone.after(...(fieldsBelow ? [fieldsBelow] : [])); // below the error message
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
