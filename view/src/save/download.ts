/** Files that leave the page. */

import { html } from "../ui/elements";

/** How long an address of a file is kept, in milliseconds. */
const KEPT = 60_000;

/** Hand a file to the browser, which saves it under a name. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: name }).click();
  // A browser reads the file when it begins to save it, which may be after the person
  // has said where to: an address that is gone by then saves nothing.
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}
