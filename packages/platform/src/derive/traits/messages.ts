import { type MessageEvent, messageEvents, type Trait } from './trait.ts';

const words: Record<MessageEvent, { counted: string; formula: string }> = {
  received: {
    counted: 'received',
    formula:
      'messages that went out: on the site, all except withheld and dropped ones; on other channels, those reported as delivered',
  },
  shown: {
    counted: 'was shown',
    formula: "messages that went out and were shown on the player's screen; an opened e-mail counts as shown",
  },
  read: {
    counted: 'has read',
    formula: 'messages that went out and that the player read or opened; a click counts as read',
  },
  clicked: { counted: 'has clicked', formula: 'messages that went out and that the player clicked' },
};

/**
 * Traits of the platform's own messages, over all channels. Messages belong to the channels, which derive does not know
 * (docs/decisions/0810).
 */
export const messageTraits: readonly Trait[] = messageEvents.flatMap((event): Trait[] => {
  const { counted, formula } = words[event];
  const name = `message_${event}_count`;
  const shared = { unit: 'count', windows: 'lifetime' } as const;
  return [
    {
      ...shared,
      name,
      kind: 'number',
      meaning: `Number of messages that the player ${counted}.`,
      formula: `count of ${formula}. Site messages that the brand no longer keeps do not count`,
      source: { from: 'messages', event },
    },
    {
      ...shared,
      name: `${name}_by_campaign`,
      kind: 'breakdown',
      meaning: `Number of messages that the player ${counted}, by campaign.`,
      formula: `${name}, by campaign_id; messages without a campaign_id do not count; the 50 largest`,
      source: { from: 'messages_by_campaign', event },
    },
  ];
});
