import { ownAccount } from '../../../text/own-account.ts';
import { settings } from '../../../text/settings.ts';
import { useWords } from '../../../text/text.tsx';
import { MoreMenu } from '../../../ui/more-menu.tsx';
import type { Account, AccountActions } from './use-account-actions.ts';

interface AccountMenuProps {
  account: Account;
  /** True for the account of the user, who can neither disable it nor change its roles. */
  isOwn: boolean;
  actions: AccountActions;
  changeRoles(): void;
}

/** The actions that an account allows in its state. */
export function AccountMenu({ account, isOwn, actions, changeRoles }: AccountMenuProps) {
  const { accounts: words } = useWords(settings);
  const { admin: own } = useWords(ownAccount);
  const { email, disabled_at, means } = account;
  const isDisabled = disabled_at !== null;
  const all = [
    { isOffered: !isOwn, label: words.changeRoles, onSure: changeRoles },
    {
      isOffered: true,
      label: words.password,
      text: words.passwordSure,
      onSure: () => actions.resetPassword(account),
    },
    {
      isOffered: means.totp || means.passkeys > 0,
      label: own.reset,
      text: own.resetSure,
      onSure: () => actions.resetSecondFactors(account),
    },
    {
      isOffered: means.single_sign_on,
      label: own.unlink,
      text: own.unlinkSure,
      onSure: () => actions.unlink(account),
    },
    { isOffered: !isDisabled && !isOwn, label: words.disable, onSure: () => actions.disable(account) },
    { isOffered: isDisabled, label: words.enable, onSure: () => actions.enable(account) },
  ];
  return (
    <MoreMenu
      name={email}
      actions={all
        .filter(({ isOffered }) => isOffered)
        .map(({ isOffered: _, ...action }) => ({ ...action, isDisabled: false }))}
    />
  );
}
