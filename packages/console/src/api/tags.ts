import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { unfollowed } from './live.ts';
import { choicesShown } from './named.ts';

/** The first tags of a brand that contain a text. A brand may have thousands, so they are never loaded completely. */
export const tagsQuery = (brand: string, name: string) =>
  queryOptions({
    queryKey: [brand, 'tags', unfollowed, { name }],
    queryFn: async (): Promise<string[]> => {
      const query = { limit: choicesShown, ...(name !== '' && { name }) };
      const { items } = await bodyOf(
        api.GET('/api/console/v1/brands/{brand}/tags', { params: { path: { brand }, query } }),
      );
      return items.map(({ tag }) => tag);
    },
    placeholderData: (before: string[] | undefined, query) => (query?.queryKey[0] === brand ? before : undefined),
  });
