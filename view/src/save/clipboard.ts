/** Text for other programs. */

import { html } from "../ui/elements";

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
