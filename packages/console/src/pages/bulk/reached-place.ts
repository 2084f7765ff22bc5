import { effectLink } from '../run/effect-link.ts';
import type { Action } from './queries.ts';

interface Reached {
  user_id: string;
  message_id: number | null;
  intent_id: string | null;
}

/** Returns the page that shows what a player of an action got, or undefined if the player got nothing. Pure. */
export function reachedPlace({ does }: Pick<Action, 'does'>, { user_id, message_id, intent_id }: Reached) {
  const effect = {
    ...(typeof does.channel === 'string' && { channel: does.channel }),
    ...(message_id !== null && { message_id }),
    ...(intent_id !== null && { intent_id }),
  };
  return effectLink(effect, user_id);
}
