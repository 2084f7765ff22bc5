import { type MessageEvent, messageEvents, type Trait } from './trait.ts';

const words: Record<MessageEvent, { counted: string; formula: string }> = {
  received: {
    counted: 'received',
    formula:
      'messages that went out: on the site, not those withheld or dropped; by other channels, those reported as delivered',
  },
  shown: {
    counted: 'was shown',
    formula: 'messages that went out and that the screen of the player has shown; an opened e-mail was shown',
  },
  read: {
    counted: 'has read',
    formula: 'messages that went out and that the player has read or opened; a click is also reading',
  },
  clicked: { counted: 'has clicked', formula: 'messages that went out and that the player has clicked' },
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
      formula: `count of ${formula}, as long as the brand keeps them`,
      source: { from: 'messages', event },
    },
    {
      ...shared,
      name: `${name}_by_campaign`,
      kind: 'breakdown',
      meaning: `Number of messages that the player ${counted}, by campaign.`,
      formula: `${name}, by campaign_id; not messages without one; the largest 50`,
      source: { from: 'messages_by_campaign', event },
    },
  ];
});
