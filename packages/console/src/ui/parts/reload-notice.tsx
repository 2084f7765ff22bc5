import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useWords } from '../../text/text.tsx';
import { upgrade } from '../../text/upgrade.ts';
import { takeReloadNotice } from './reload.ts';

const shownMs = 15_000;

/** Informs the user that the page has reloaded itself. */
export function ReloadNotice() {
  const { reloaded } = useWords(upgrade);
  useEffect(() => {
    if (takeReloadNotice()) notifications.show({ message: reloaded, autoClose: shownMs });
  }, [reloaded]);
  return null;
}
