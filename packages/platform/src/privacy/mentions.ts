import { parseBody } from '@croupier/contracts';

/**
 * Whether a body that was not accepted mentions a player. Pure.
 *
 * JSON is parsed: each value or key that equals the user_id is a mention, however it is written. A text that is itself JSON is
 * parsed, too. If two members have the same name, the parser returns only the later one, so the earlier one is found by its text.
 * Any other body is searched as text, with escapes resolved, for the user_id as a whole word. This may also find a body in which
 * the word means something else. Such a body is then erased as well. A mention that is not found is deleted with its body, when the
 * body is too old.
 */
export function mentionsPlayer(body: Buffer, userId: string): boolean {
  const text = body.toString('utf8');
  const sought = userId.trim();
  const parsing = parseBody(text);
  if (!parsing.ok) return wordsOf(text, sought) > 0;
  return isAmong(parsing.body, sought) || isHidden(text, parsing.body, sought);
}

/** JSON allows two members of one name, and a parser returns only the last one. */
function isHidden(text: string, body: unknown, sought: string): boolean {
  return wordsOf(text, sought) > wordsOf(JSON.stringify(body), sought);
}

/** The recursion ends: `parseBody` limits the depth, and a text within a text is shorter than the text around it. */
function isAmong(value: unknown, sought: string): boolean {
  if (typeof value === 'string') {
    if (value.trim() === sought) return true;
    const parsing = parseBody(value);
    return parsing.ok && isAmong(parsing.body, sought);
  }
  if (typeof value === 'number') return String(value) === sought;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => key.trim() === sought || isAmong(entry, sought));
}

const nameOfAnId = /id$/i;

/**
 * Removes this player from another player's body: values that mention this player become `erased`. Undefined if the body does
 * not mention the player. Pure.
 *
 * The body stays with its own player, so this is stricter than `mentionsPlayer`: a plain number counts only if its name ends in
 * `id`, because an amount of 5 is not player 5. Numbers that JavaScript cannot represent become texts, which does not matter in
 * an event that is invalid anyway.
 */
export function withoutMentions(body: Buffer, userId: string): Buffer | undefined {
  const text = body.toString('utf8');
  const sought = userId.trim();
  const parsing = parseBody(text);
  if (!parsing.ok) return undefined;
  const redacted = redact(parsing.body, sought, '');
  if (redacted === parsing.body && !isHidden(text, parsing.body, sought)) return undefined;
  return Buffer.from(JSON.stringify(redacted));
}

const erased = 'erased';

/** Returns the same value if it does not mention the player. `name`: the key of the value. */
function redact(value: unknown, sought: string, name: string): unknown {
  if (typeof value === 'string') return redactText(value, sought);
  if (typeof value === 'number') return nameOfAnId.test(name) && String(value) === sought ? erased : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => redact(entry, sought, name));
    return entries.every((entry, index) => entry === value[index]) ? value : entries;
  }
  const entries = Object.entries(value);
  const redacted = entries.map(
    ([key, entry]) => [key.trim() === sought ? erased : key, redact(entry, sought, key)] as const,
  );
  const isSame = redacted.every(([key, entry], index) => key === entries[index]?.[0] && entry === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(redacted);
}

function redactText(text: string, sought: string): string {
  if (text.trim() === sought) return erased;
  const parsing = parseBody(text);
  if (!parsing.ok) return text;
  const redacted = redact(parsing.body, sought, '');
  return redacted === parsing.body ? text : JSON.stringify(redacted);
}

/** How many times the user_id occurs as a whole word, with escapes resolved. */
function wordsOf(text: string, sought: string): number {
  return countWords(unescaped(text), sought);
}

function unescaped(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\(["\\/])/g, '$1');
}

const partOfWord = /[\p{L}\p{N}_]/u;

function countWords(text: string, sought: string): number {
  let count = 0;
  if (sought === '') return count;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const before = text[at - 1];
    const after = text[at + sought.length];
    if ((before === undefined || !partOfWord.test(before)) && (after === undefined || !partOfWord.test(after))) count++;
  }
  return count;
}
