import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';

type Paged<Item> = { items: Item[]; next: string | null };

/** All pages of a list. Only for small lists. */
async function allOf<Item>(read: (cursor: string | undefined) => Promise<Paged<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}

const pageSize = 200;

export const templatesQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'templates'],
    queryFn: () =>
      allOf((cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/templates', {
            params: { path: { brand }, query: { limit: pageSize, ...(cursor !== undefined && { cursor }) } },
          }),
        ),
      ),
  });

export const templateQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'template', code],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/templates/{code}', { params: { path: { brand, code } } })),
  });

export const templateCatalogueQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'template-catalogue'],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/template-catalogue', { params: { path: { brand } } })),
    staleTime: 60_000,
  });

export const brandQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'brand'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}', { params: { path: { brand } } })),
  });

type Answer<Options extends { queryFn?: unknown }> =
  NonNullable<Options['queryFn']> extends (...args: never[]) => infer Result ? Awaited<Result> : never;

export type TemplateShown = Answer<ReturnType<typeof templateQuery>>;
export type TemplateCatalogue = Answer<ReturnType<typeof templateCatalogueQuery>>;
export type BrandShown = Answer<ReturnType<typeof brandQuery>>;
