import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';

/**
 * Ends the session, clears the cached data, and opens the sign-in page. It also ends the session at the identity
 * provider, unless `onlyHere` is set.
 */
export function useSignOut(): (options?: { onlyHere?: boolean }) => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async ({ onlyHere = false } = {}) => {
    const atProvider = queries.getQueryData(sessionQuery.queryKey)?.sign_out_url ?? null;
    await api.DELETE('/api/console/v1/session');
    queries.clear();
    if (atProvider !== null && !onlyHere) window.location.assign(atProvider);
    else await navigate({ to: '/sign-in', search: {} });
  };
}
