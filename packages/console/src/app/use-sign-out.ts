import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';

/** Ends the session, forgets what was read, and leads to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    await api.DELETE('/api/console/v1/session');
    queries.clear();
    await navigate({ to: '/sign-in', search: {} });
  };
}
