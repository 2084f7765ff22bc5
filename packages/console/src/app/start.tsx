import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { brandsQuery } from '../api/queries.ts';
import { Failed, Loading, NotFound } from '../ui/states.tsx';

/** The page `/console`. It opens the brand that was open last, or the first one. */
export function Start() {
  const brands = useQuery(brandsQuery);
  if (brands.isPending) return <Loading />;
  if (brands.isLoadingError) return <Failed error={brands.error} onRetry={() => brands.refetch()} />;
  const { items } = brands.data;
  const last = items.find(({ code }) => code === localStorage.getItem(lastBrand)) ?? items[0];
  if (last === undefined) return <NotFound />;
  return <Navigate to="/$brand/now" params={{ brand: last.code }} replace />;
}

/** Key in the browser's storage. */
export const lastBrand = 'croupier-brand';
