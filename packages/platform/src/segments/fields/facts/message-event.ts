import { factReading } from './fact.ts';

export const messageEvent = (baseCurrency: string) =>
  factReading({
    name: 'message_event',
    title: 'reports about messages',
    meaning:
      'Reports about messages of e-mail, SMS and the other channels: delivered, opened, clicked, bounced, complained, unsubscribed, replied, reached. They are kept as long as the history: `history_days` of the configuration.',
    from: 'message_event',
    inForce: 'true',
    at: 'at',
    columns: {
      what: ['text', 'what happened'],
      timestamp: ['moment', 'its time', 'at'],
      channel: ['text', 'the channel'],
      message_id: ['text', 'the message id'],
      campaign_id: ['text', 'the campaign'],
      provider: ['text', 'who reported it'],
      reason: ['text', 'the reason'],
      link: ['text', 'the link that was clicked'],
      event_id: ['text', 'the event id'],
    },
    baseCurrency,
  });
