import { type TSchema, Type } from 'typebox';

/** Items of a page unless the caller asks for another number, and the most it can ask for. */
export const defaultPage = 50;
export const largestPage = 200;

/** Query parameters of every list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: largestPage, default: defaultPage, description: 'Items of a page' }),
  cursor: Type.Optional(Type.String({ description: '`next` of the page before' })),
};

/** Every list answers with this: `next` is null on the last page. */
export const PageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) });

/**
 * Cuts a list that was read one item longer than the page: the extra item tells that there is a next page, without a
 * count of everything.
 */
export function pageFrom<Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
