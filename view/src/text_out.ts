/** Text that leaves the page: to the clipboard, or as a file. */

import { html } from "./elements";

/** Put text on the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened from a file may not write to the clipboard, but may copy a field.
    const field = html("textarea", { class: "ls-offscreen" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** Offer text as a file to download. */
export function saveText(parts: string[], name: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type: "text/csv" }));
  html("a", { href: address, download: name }).click();
  // The download begins after this task; then the address is not needed any more.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
