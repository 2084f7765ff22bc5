/**
 * Returns the part of a typed text that can be in the name of a segment or a tag: without the words that each title begins with, and
 * without the beginning of the field's name. So *member of vip*, *segment vip* and *segment.vip* all look for *vip*. Pure.
 *
 * @param title of a field without its name, such as `member of the segment`
 * @param prefix of the names of these fields, such as `segment.`
 */
export function soughtIn(typed: string, title: string, prefix: string): string {
  const common = new Set([...wordsIn(title), prefix.slice(0, -1)]);
  const text = typed.toLowerCase().startsWith(prefix) ? typed.slice(prefix.length) : typed;
  const words = text.trim().split(/\s+/);
  const first = words.findIndex((word) => !common.has(word.toLowerCase()));
  return first === -1 ? '' : words.slice(first).join(' ');
}

const wordsIn = (text: string) => text.toLowerCase().trim().split(/\s+/);
