import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client.ts';
import { unfollowed } from '../api/live.ts';

export const queryClient: QueryClient = new QueryClient({
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
