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

/** Whether the caller may do this at the brand that is open. What may not be done is not offered; the platform refuses it anyway. */
export function useMay(): (permission: Permission) => boolean {
  const brand = useBrand();
  const session = useQuery(sessionQuery);
  return (permission) =>
    session.data?.permissions.some(
      (one) => one.permission === permission && (one.brand === null || one.brand === brand),
    ) ?? false;
}

/** Whether the caller may do this at every brand, which what belongs to no brand needs. */
export function useMayEverywhere(): (permission: Permission) => boolean {
  const session = useQuery(sessionQuery);
  return (permission) =>
    session.data?.permissions.some((one) => one.permission === permission && one.brand === null) ?? false;
}

/** What is offered only to those who may do it at the brand that is open. */
export function IfMay({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useMay()(permission) ? children : null;
}
