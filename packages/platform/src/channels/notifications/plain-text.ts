// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
/** A tag as a browser reads one, closed or not; `5 < 6` and `<3` are none. */
const tag = /<[!/?]?[a-z][^<>]*>?|<!--|<[!/?]/gi;

/**
 * Titles, previews and texts of buttons: text, not HTML (docs/reference/interface.md, Notification record: "no HTML"). What a browser would read as
 * a tag goes, so that a front end of the brand's own that forgets to escape shows no markup either. Everything else stays,
 * ampersands included.
 */
export function plainText(text: string): string {
  let clean = text.replace(controls, '');
  // Until nothing changes: taking `<b>` out of `<scr<b>ipt>` makes a new one.
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = clean.replace(tag, '');
  }
  return clean.trim();
}
