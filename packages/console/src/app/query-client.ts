import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client.ts';
import { router } from './router.tsx';

/** A session that is over leads to the sign-in page, and back here afterwards. */
function onError(error: Error): void {
  if (!(error instanceof ApiProblem) || error.status !== 401) return;
  const { pathname } = router.state.location;
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { back: pathname } });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: {
      // What the platform refuses it refuses again; a network that is away comes back.
      retry: (failures, error) => !(error instanceof ApiProblem && error.status < 500) && failures < 3,
      staleTime: 1_000,
    },
  },
});
