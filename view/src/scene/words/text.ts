/** Text that is shown: without signs that nobody sees, on lines of a given length. */

/** Control characters but the white space among them; and what no XML may hold. */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** Text with a sign in place of each that cannot be seen: no saved SVG may hold these. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, "\ufffd");
}

/** Words on lines of a given length. */
export function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < length) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

/** A name on one line or two of a given length, parted between its words if it can be. */
export function onTwoLines(name: string, length: number): string[] {
  const signs = Array.from(name);
  if (signs.length <= length) {
    return [name];
  }
  const isBetween = (at: number) =>
    /\s/.test(signs[at] ?? "") || /[\s_\-/,.…]/.test(signs[at - 1]);
  let at = length;
  while (at > Math.max(signs.length - length, 1) && !isBetween(at)) {
    at--;
  }
  at = isBetween(at) ? at : length;
  return [signs.slice(0, at), signs.slice(at)].map((part) => part.join("").trim());
}
