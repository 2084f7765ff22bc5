import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { brandsQuery, sessionQuery } from '../api/queries.ts';
import { NotFound } from '../ui/states.tsx';
import { readEarly } from './early-reads.ts';
import { Shell } from './shell.tsx';

/** Layout of every route. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Layout of every route of a brand. */
export const brand = createRoute({
  getParentRoute: () => root,
  path: '/$brand',
  loader: () => {
    readEarly(sessionQuery);
    readEarly(brandsQuery);
  },
  component: Shell,
  // The menu and the choice of the brand keep the keyboard focus when the brand changes.
  remountDeps: () => undefined,
  notFoundComponent: NotFound,
});
