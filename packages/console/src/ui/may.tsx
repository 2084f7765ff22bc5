import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useBrand } from './page.tsx';

export type Permission =
  NonNullable<typeof sessionQuery.queryFn> extends (...args: never[]) => infer Answer
    ? Awaited<Answer> extends { permissions: { permission: infer Name }[] }
      ? Name
      : never
    : never;

/**
 * Returns whether the caller may do this at the current brand. The console hides actions that are not allowed. The
 * platform also refuses them.
 */
export function useMay(): (permission: Permission) => boolean {
  const brand = useBrand();
  const session = useQuery(sessionQuery);
  return (permission) =>
    session.data?.permissions.some(
      (one) => one.permission === permission && (one.brand === null || one.brand === brand),
    ) ?? false;
}

/** Returns whether the caller may do this at every brand. This is required for what belongs to no brand. */
export function useMayEverywhere(): (permission: Permission) => boolean {
  const session = useQuery(sessionQuery);
  return (permission) =>
    session.data?.permissions.some((one) => one.permission === permission && one.brand === null) ?? false;
}

/** Shows its children only to callers who may do this at the current brand. */
export function IfMay({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useMay()(permission) ? children : null;
}
