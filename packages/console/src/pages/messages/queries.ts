import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';

/** Milliseconds between two reads of an open template while no changes are reported. */
const refreshMs = 5_000;

export const templateQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'template', code],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/templates/{code}', { params: { path: { brand, code } } })),
    refetchInterval: every(refreshMs),
  });

export const templateCatalogQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'template-catalog'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/template-catalog', { params: { path: { brand } } })),
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
export type TemplateCatalog = Answer<ReturnType<typeof templateCatalogQuery>>;
export type BrandShown = Answer<ReturnType<typeof brandQuery>>;
