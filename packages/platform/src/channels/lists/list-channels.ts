import type { MadeFrom } from '../calls/message.ts';
import type { PlayerChannel } from '../channel.ts';
import { createEntries, dropAndForget, endUnsentEntries, recallEntry } from './create.ts';
import { composeEntry, type EntryContent, type ListChannel } from './entry.ts';

export type EntryWords = EntryContent & { template: MadeFrom };

/** A channel that makes no calls itself. People contact the players, with an exported list. */
function listChannel(name: ListChannel): PlayerChannel<EntryWords> {
  return {
    name,
    asks: [name],
    received: name === 'telephone' ? ['called'] : ['bounced'],
    dueTimes: [],
    compose: composeEntry,
    send: (tx, gate, messages, at) => createEntries(tx, gate, name, messages, at),
    endUnsent: (tx, messageIds, ending, at) => endUnsentEntries(tx, name, messageIds, ending, at),
    recall: (tx, order, at) => recallEntry(tx, name, order, at),
    // An export checks whether each entry's campaign was recalled. The channel of the inbox stores the recall.
    recallCampaign: async () => null,
    // At each export, the gate decides about each entry.
    protect: async () => ({ signals: [] }),
    logout: async () => {},
    async forget(tx, playerIds, at) {
      if (playerIds.length > 0)
        await dropAndForget(tx, name, { player_ids: playerIds }, { reason: 'erased', by: null }, at);
    },
  };
}

export const telephoneChannel = listChannel('telephone');
export const postMailChannel = listChannel('post_mail');
