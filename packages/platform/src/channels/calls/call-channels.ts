import type { PlayerChannel, ReceivedKind } from '../channel.ts';
import { composeCall } from './content.ts';
import { createCalls } from './create.ts';
import type { CallChannel, CallContents, NewCall } from './message.ts';
import { endUnsentCalls, forgetCalls, protectCalls, recallCall } from './protect.ts';

/** A channel whose messages are sent by a call over HTTP. */
function callChannel<C extends CallChannel>(
  name: C,
  received: readonly ReceivedKind[],
): PlayerChannel<CallContents[C]> {
  return {
    name,
    asks: [name],
    received,
    // All of these channels share one queue, so only the first one returns it.
    dueTimes: name === 'sms' ? [{ table: 'called_message', column: 'due_at' }] : [],
    compose: composeCall[name] as PlayerChannel<CallContents[C]>['compose'],
    send: (tx, gate, messages, at) => createCalls(tx, gate, name, messages as unknown as readonly NewCall[], at),
    endUnsent: (tx, messageIds, ending, at) => endUnsentCalls(tx, name, messageIds, ending, at),
    recall: (tx, order, at) => recallCall(tx, name, order, at),
    // Before its call, a waiting message checks whether its campaign was recalled. The channel of the inbox stores the recall.
    recallCampaign: async () => null,
    async protect(tx, transitions) {
      await protectCalls(tx, name, transitions);
      return { signals: [] };
    },
    // A message of these channels belongs to no session.
    logout: async () => {},
    forget: (tx, playerIds, at) => forgetCalls(tx, name, playerIds, at),
  };
}

export const smsChannel = callChannel('sms', ['delivered', 'opened', 'clicked', 'bounced', 'replied', 'unsubscribed']);
/** The platform does not know what the receiver of a webhook does with it. */
export const webhookChannel = callChannel('webhook', []);
export const operatorChannel = callChannel('operator', ['delivered', 'opened', 'clicked', 'bounced']);
