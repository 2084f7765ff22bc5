import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';

const pageSize = 60;

export const mediaQuery = (brand: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [brand, 'media', search],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/media', {
          params: {
            path: { brand },
            query: {
              limit: pageSize,
              ...(search !== '' && { search }),
              ...(pageParam !== undefined && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

type Page = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof mediaQuery>['queryFn'] & object>>>>;
export type Picture = Page extends { items: (infer Item)[] } ? Item : never;

/** Returns the address of the image on the host of the console. Players may use another host. */
export const shownAt = (url: string): string => new URL(url).pathname;

const ownPicture = /https?:\/\/[^"'\s()<>/]+(\/media\/[\w-]+\/[\w-]{22}\.(?:png|jpg|gif|webp))/g;

/** Replaces the addresses of library images in texts by addresses on the host of the console. Pure. */
export const withOwnPictures = (text: string): string => text.replace(ownPicture, '$1');
