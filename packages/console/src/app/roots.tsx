import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { NotFound } from '../ui/states.tsx';
import { Shell } from './shell.tsx';

/** Above every address. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Above every address of a brand. */
export const brand = createRoute({ getParentRoute: () => root, path: '/$brand', component: Shell });
