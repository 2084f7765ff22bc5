import { type TSchema, Type } from 'typebox';

/** Default and maximum number of items per page. */
export const defaultPage = 50;
export const largestPage = 200;

/** Query parameters of every list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: largestPage, default: defaultPage, description: 'Items per page' }),
  cursor: Type.Optional(Type.String({ description: '`next` of the previous page' })),
};

/** Query parameter of lists whose items have a name and a code. */
export const nameQuery = {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name or code; letter case is ignored' }),
  ),
};

/** Where the next page of such a list begins. These lists are sorted by name, and then by code. */
export const NamedPlace = Type.Object({ name: Type.String(), code: Type.String() });

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
