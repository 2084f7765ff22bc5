import type { ReactNode } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { ownAccount } from '../../../text/own-account.ts';
import { settings } from '../../../text/settings.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import { useProof } from '../../../ui/proof.tsx';
import { useUndo } from '../../../ui/undo.tsx';

/** Key of the list of accounts. */
export const accountsKey = ['accounts'];

export const readAccounts = () => bodyOf(api.GET('/api/console/v1/accounts'));
export type Account = Awaited<ReturnType<typeof readAccounts>>['items'][number];

export interface Credentials {
  email: string;
  password: string;
}

export interface AccountActions {
  /** Undo enables the account again. */
  disable(account: Account): void;
  enable(account: Account): void;
  /** Generates a new password. */
  resetPassword(account: Account): void;
  resetSecondFactors(account: Account): void;
  /** Removes the link to the account at the identity provider. */
  unlink(account: Account): void;
}

/**
 * Returns the actions of accounts.
 *
 * @param onPassword called with a new password, which the platform shows only once
 * @returns also a dialog that asks for the proof that some of the actions require
 */
export function useAccountActions(onPassword: (made: Credentials) => void): AccountActions & { dialog: ReactNode } {
  const { accounts: words } = useWords(settings);
  const { admin: own } = useWords(ownAccount);
  const offerUndo = useUndo();
  const { prove, dialog } = useProof();
  const paramsOf = (account_id: number) => ({ params: { path: { account_id } } });
  const able = useAct(
    ({ account_id, to }: { account_id: number; to: 'disable' | 'enable' }) =>
      api.POST(`/api/console/v1/accounts/{account_id}/${to}`, paramsOf(account_id)),
    { touches: accountsKey },
  );
  const password = useAct(
    (account_id: number) =>
      bodyOf(api.POST('/api/console/v1/accounts/{account_id}/password', { ...paramsOf(account_id), body: {} })),
    { touches: accountsKey, onDone: onPassword },
  );
  const secondFactors = useAct(
    (account_id: number) =>
      prove(() => api.DELETE('/api/console/v1/accounts/{account_id}/second-factors', paramsOf(account_id))),
    { touches: accountsKey, done: own.resetDone },
  );
  const identity = useAct(
    (account_id: number) =>
      prove(() => api.DELETE('/api/console/v1/accounts/{account_id}/identity', paramsOf(account_id))),
    { touches: accountsKey, done: own.unlinked },
  );
  return {
    disable: ({ account_id, email }) =>
      able.mutate(
        { account_id, to: 'disable' },
        { onSuccess: () => offerUndo(words.nowDisabled(email), () => able.mutateAsync({ account_id, to: 'enable' })) },
      ),
    enable: ({ account_id }) => able.mutate({ account_id, to: 'enable' }),
    resetPassword: ({ account_id }) => password.mutate(account_id),
    resetSecondFactors: ({ account_id }) => secondFactors.mutate(account_id),
    unlink: ({ account_id }) => identity.mutate(account_id),
    dialog,
  };
}
