import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useBrand } from '../../ui/page.tsx';

/** As `PUT settings` takes it: what is left out stays. */
export interface BrandChangeBody {
  name?: string;
  settings?: Record<string, unknown>;
  operator?: Record<string, unknown> | null;
  email?: Record<string, unknown> | null;
  test_user?: Record<string, unknown> | null;
}

/** Changes the brand that is open. What is refused is the page's to show. */
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
