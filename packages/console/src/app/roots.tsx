import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { NotFound } from '../ui/states.tsx';
import { Shell } from './shell.tsx';

/** Layout of every route. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Layout of every route of a brand. */
export const brand = createRoute({
  getParentRoute: () => root,
  path: '/$brand',
  component: Shell,
  notFoundComponent: NotFound,
});
