import { ApiProblem } from '../api/client.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

/** Opens the page that the user needs if the platform refuses the session: the sign-in page, or the page that adds a second factor. */
export function followRefusals(): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
  });
}

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
