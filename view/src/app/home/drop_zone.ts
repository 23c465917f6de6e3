/** Where a table is dropped, or a file chosen. */

import { html } from "../../ui/elements";
import { api, type Reading } from "../api";
import { complain, waited } from "../page_parts";
import { readingOf } from "../table/reading";

const FORMATS = ".csv,.tsv,.txt,.gz,.xlsx,.parquet,.feather,.arrow,.npy,.npz";
const INVITATION =
  "CSV, TSV, Excel, Parquet, Arrow, npy or npz. It stays on this machine.";

/** A place for files; `taken` is told the id of a table that was loaded. */
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
