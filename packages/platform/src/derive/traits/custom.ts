import type { Trait } from './trait.ts';

export const customTraits: readonly Trait[] = [
  {
    name: 'custom_events',
    kind: 'breakdown',
    unit: 'count',
    windows: 'lifetime',
    meaning: 'Number of custom events of each type, the 50 most frequent types.',
    formula: 'count of custom events by notification_type; events that went with the history count on',
    source: { from: 'custom_events' },
  },
];
