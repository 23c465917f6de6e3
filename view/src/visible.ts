/** Signs that nobody sees, in names that come from anywhere. */

/** Control characters but the white space among them; and what no XML may hold. */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** Text with a sign in place of each that cannot be seen: no saved SVG may hold these. */
export function visible(text: string): string {
  return text.replace(UNSEEN, "\ufffd");
}
