import { type TSchema, Type } from 'typebox';
import type { NamedPage } from '../../database/index.ts';
import { refusedField } from '../routing/refused.ts';
import type { CursorCodec } from './cursor.ts';

/** Default and maximum number of items per page. */
export const defaultPage = 50;
export const largestPage = 200;

/** Query parameters of every list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: largestPage, default: defaultPage, description: 'Items per page' }),
  cursor: Type.Optional(Type.String({ description: '`next` of the previous page' })),
};

const mostCodes = largestPage;

/** Query parameters of lists whose items have a name and a code. */
export const namedQuery = {
  ...pageQuery,
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name or code; letter case is ignored' }),
  ),
  codes: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: mostCodes * 65,
      description: `Only these codes, separated by commas; at most ${mostCodes}. A code that does not exist is left out`,
    }),
  ),
};

/** Where the next page of such a list begins. These lists are sorted by name, and then by code. */
export const NamedPlace = Type.Object({ name: Type.String(), code: Type.String() });

interface NamedQuery {
  limit: number;
  cursor?: string | undefined;
  name?: string | undefined;
  codes?: string | undefined;
}

/** The page that these query parameters select, and one item more: it shows whether there is a next page. */
export function namedPageOf(
  { limit, cursor, name, codes }: NamedQuery,
  codec: CursorCodec<typeof NamedPlace>,
): NamedPage {
  const after = codec.decode(cursor);
  return { name, codes: namesIn(codes, mostCodes, 'codes'), after, limit: limit + 1 };
}

/**
 * The names of a parameter that are separated by commas, each once; undefined without the parameter. A parameter with
 * more than `limit` names is refused.
 */
export function namesIn(text: string | undefined, limit: number, path: string): string[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(',').filter(Boolean))];
  if (names.length <= limit) return names;
  const message = { en: `at most ${limit} names`, de: `Höchstens ${limit} Namen` };
  throw refusedField(path, 'maxItems', message);
}

/** The answer of every list: `next` is null on the last page. */
export const PageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) });

/**
 * Cuts a list that was read one item longer than the page: the extra item shows that there is a next page, without counting
 * everything.
 */
export function pageFrom<Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** For the description of a list whose pages are made by `pageFromSearch`. */
export const searchedInPages =
  'A page searches at most 100,000 entries per channel. So it can be short or empty although there are more entries: the list ends only where `next` is null.';

/**
 * The page of a search that stops after a limited number of items. `rows` has up to one row more than the page. If it does not have
 * this row, but the search stopped before the end of the list, the next page continues there. So a page can be short or empty
 * although there are more items.
 */
export function pageFromSearch<Row>(
  { rows, searched_to }: { rows: readonly Row[]; searched_to: number | null },
  limit: number,
  idOf: (row: Row) => number,
  cursors: { encode(id: number): string },
) {
  const { items, next } = pageFrom(rows, limit, (last) => cursors.encode(idOf(last)));
  return { items, next: next ?? (searched_to === null ? null : cursors.encode(searched_to)) };
}
