import { type ErrorComponentProps, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { NotLoaded } from '../ui/parts/not-loaded.tsx';
import { importPart, PartNotLoaded } from '../ui/parts/part-not-loaded.ts';
import { Failed } from '../ui/states.tsx';

type Load = () => Promise<Record<string, unknown>>;

/** A page that is loaded when the user first opens it, or moves the pointer over a link to it. */
export const lazyPage = (load: Load, name: string): RouteComponent =>
  lazyRouteComponent(importPart(load) as () => Promise<Record<string, RouteComponent>>, name);

/** Shown instead of a page that failed. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  if (error instanceof PartNotLoaded) return <NotLoaded />;
  return <Failed error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}
