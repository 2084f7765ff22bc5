import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useBrand } from '../../ui/page.tsx';

/** The body of `PUT settings`. A setting that is omitted does not change. */
export interface BrandChangeBody {
  name?: string;
  settings?: Record<string, unknown>;
  operator?: Record<string, unknown> | null;
  email?: Record<string, unknown> | null;
  test_user?: Record<string, unknown> | null;
}

/** Changes the current brand. The page that uses it shows errors. */
export function useBrandChange() {
  const brand = useBrand();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BrandChangeBody) =>
      bodyOf(api.PUT('/api/console/v1/brands/{brand}/settings', { params: { path: { brand } }, body })),
    onSuccess: async (after) => {
      queries.setQueryData([brand, 'brand'], after);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['brands'] }),
        queries.invalidateQueries({ queryKey: [brand, 'channels'] }),
        queries.invalidateQueries({ queryKey: [brand, 'contact-rules'] }),
      ]);
    },
  });
}
