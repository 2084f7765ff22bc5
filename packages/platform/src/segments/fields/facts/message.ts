import { factReading } from './fact.ts';

export const message = (baseCurrency: string) =>
  factReading({
    name: 'message',
    title: 'messages',
    meaning: 'Messages that the player received, at the time at which they went out. Withheld messages do not count.',
    from: 'notification',
    inForce: 'live_at is not null',
    at: 'live_at',
    columns: {
      message_id: ['text', 'the message id', 'message_id::text'],
      channel: ['text', 'the channel'],
      purpose: ['text', 'the purpose'],
      event: ['text', 'the form'],
      title: ['text', 'the title'],
      campaign_id: ['text', 'the campaign'],
      state: ['text', 'the state'],
      created_at: ['moment', 'the time of its creation'],
      shown_at: ['moment', 'the time at which it was shown'],
      read_at: ['moment', 'the time at which it was read'],
      clicked_at: ['moment', 'the time at which it was clicked'],
      closed_at: ['moment', 'the time at which it was closed'],
    },
    baseCurrency,
  });
