import { factReading } from './fact.ts';

export const custom = (baseCurrency: string) =>
  factReading({
    name: 'custom',
    title: 'custom events',
    meaning:
      'Custom events, which the operator names. They are kept as long as the history: `history_days` of the configuration.',
    from: 'custom_event',
    inForce: 'true',
    at: 'at',
    columns: {
      notification_type: ['text', 'the type', 'name'],
      timestamp: ['moment', 'its time', 'at'],
      origin: ['text', 'the origin'],
    },
    baseCurrency,
  });

export const siteEvent = (baseCurrency: string) =>
  factReading({
    name: 'site_event',
    title: 'site events',
    meaning:
      'Events that pages track. Players can forge them, because they come from the browser. They are kept as long as the history: `history_days` of the configuration.',
    from: 'site_event',
    inForce: 'true',
    at: 'at',
    columns: {
      name: ['text', 'the name'],
      timestamp: ['moment', 'its time', 'at'],
      event_id: ['text', 'the event id'],
    },
    baseCurrency,
  });
