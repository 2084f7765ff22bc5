import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client.ts';
import { unfollowed } from '../api/live.ts';
import { router } from './router.tsx';

/** Opens the sign-in page if the session has ended. After the sign-in, the user returns to this page. */
function onError(error: Error): void {
  if (!(error instanceof ApiProblem)) return;
  const { pathname } = router.state.location;
  if (error.code === 'second_factor_required') toOwnAccount(pathname);
  if (error.status === 401 && pathname !== '/sign-in')
    void router.navigate({ to: '/sign-in', search: { back: pathname } });
}

/**
 * Opens the page that adds a second factor. If a second factor is required and the session has none, the user can open
 * only this page.
 */
function toOwnAccount(pathname: string): void {
  const [, brand = ''] = pathname.split('/');
  const profile = `/${brand}/settings/profile`;
  if (pathname !== profile) void router.navigate({ to: profile as '/' });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  // A change may rename something.
  mutationCache: new MutationCache({
    onSuccess: () =>
      void queryClient.invalidateQueries({ predicate: ({ queryKey: [, , part] }) => part === unfollowed }),
  }),
  defaultOptions: {
    // The browser may report that it is offline although it reaches Croupier in the same network. By default, calls would then wait
    // without a message, and a change would be sent much later, when the user does not expect it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // A call is retried only after a failure of the network or the server. A call that the platform refused would be
      // refused again.
      retry: (failures, error) => !(error instanceof ApiProblem && error.status < 500) && failures < 3,
      staleTime: 1_000,
    },
  },
});
