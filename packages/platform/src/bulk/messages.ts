import type { PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import {
  type MadeMessage,
  type MessageTerms,
  type OrderDeps,
  preparedWords,
  readForWords,
  sendAll,
  sendWords,
  UnfitNotification,
  type Words,
} from '../channels/index.ts';
import { type BulkAction, campaignOf, type MessageDoes } from './action.ts';
import { type Effected, ended, failureText, keyOf, orFailed } from './effect.ts';
import type { DuePlayer } from './store.ts';

interface Message {
  player_id: number;
  terms: MessageTerms;
  said: Words;
}

/**
 * Sends the messages of one portion. It first composes a text for each player. Then it asks the gate once and writes
 * once for all messages. If one message cannot be sent, each is sent separately, so that only that one fails. The
 * outcomes are in the order of the players.
 */
export async function sendMessages(
  tx: PoolClient,
  deps: OrderDeps,
  { brand, action }: { brand: Brand; action: BulkAction },
  { channel, purpose, says, expires_at }: MessageDoes,
  players: readonly DuePlayer[],
): Promise<Effected[]> {
  const effected = new Map<number, Effected>();
  const messages: Message[] = [];
  const fail = (player_id: number, error: unknown) =>
    effected.set(player_id, { outcome: ended(player_id, 'failed', failureText(error)), signals: [] });
  try {
    const ids = players.map(({ player_id }) => player_id);
    const reading = await readForWords(tx, brand, { says: [says], players: ids });
    const wordsFor = preparedWords(tx, deps, { brand, channel, purpose, says }, reading);
    for (const { player_id, user_id } of players) {
      const said = await wordsFor({ player_id, user_id }).catch((error: unknown) => {
        if (!(error instanceof UnfitNotification)) throw error;
        fail(player_id, error);
      });
      const terms = {
        brand_id: brand.brand_id,
        player_id,
        purpose,
        campaign_id: campaignOf(action),
        request_key: keyOf(action),
        created_by: action.created_by,
        expires_at,
      };
      if (said !== undefined) messages.push({ player_id, terms, said });
    }
  } catch (error) {
    // The template was deleted, or changed since the order so that it cannot be rendered.
    if (!(error instanceof UnfitNotification)) throw error;
    for (const { player_id } of players) fail(player_id, error);
  }
  for (const one of await sendTogether(tx, deps, messages)) effected.set(one.outcome.player_id, one);
  return players.flatMap(({ player_id }) => effected.get(player_id) ?? []);
}

async function sendTogether(tx: PoolClient, deps: OrderDeps, messages: readonly Message[]): Promise<Effected[]> {
  const [first] = messages;
  if (first === undefined) return [];
  const together = await orFailed(tx, () => sendAll(tx, deps, first.said.channel, messages));
  if ('made' in together)
    return messages.map(({ player_id }, place) => effectedBy(player_id, together.made[place] as MadeMessage));
  const alone: Effected[] = [];
  for (const { player_id, terms, said } of messages) {
    const sent = await orFailed(tx, () => sendWords(tx, deps, terms, said));
    alone.push(
      'made' in sent
        ? effectedBy(player_id, sent.made)
        : { outcome: ended(player_id, 'failed', sent.reason), signals: [] },
    );
  }
  return alone;
}

function effectedBy(player_id: number, { message_id, decision_id, state, reason, signals }: MadeMessage): Effected {
  const outcome = state === 'withheld' || state === 'held' ? state : 'sent';
  const said = outcome === 'sent' ? '' : (reason ?? outcome);
  return { outcome: { ...ended(player_id, outcome, said), message_id, decision_id }, signals };
}
