// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern removes them
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
/** A tag as a browser reads one, closed or not; `5 < 6` and `<3` are not tags. */
const tag = /<[!/?]?[a-z][^<>]*>?|<!--|<[!/?]/gi;

/**
 * Cleans titles, previews and texts of buttons: text, not HTML (docs/reference/interface.md, Notification record: "no HTML").
 * What a browser would read as a tag is removed, so that even a front end of the brand that does not escape shows no markup.
 * Everything else stays, including ampersands.
 */
export function plainText(text: string): string {
  let clean = text.replace(controls, '');
  // Repeat until nothing changes: removing `<b>` from `<scr<b>ipt>` creates a new tag.
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = clean.replace(tag, '');
  }
  return clean.trim();
}
