import { lists } from '../text/lists.ts';
import { useWords } from '../text/text.tsx';
import { Words } from './filters.tsx';
import { isEmailOrPhone } from './is-email-or-phone.ts';

/**
 * Filters a list by the id of a player. It refuses e-mails and phone numbers, because the filters are in the address, and addresses get
 * into the history of the browser and the logs of proxies.
 */
export function PlayerFilter() {
  const words = useWords(lists);
  return (
    <Words
      name="user_id"
      label={words.playerId}
      errorOf={(typed) => (isEmailOrPhone(typed) ? words.noPlayerId : undefined)}
    />
  );
}
