import type { Trait } from './trait.ts';

export const namedEventTraits: readonly Trait[] = [
  {
    name: 'custom_events',
    kind: 'breakdown',
    unit: 'count',
    windows: 'lifetime',
    meaning:
      'Number of custom events of each type, the 50 most frequent types. The operator sends them; site events do not count.',
    formula: 'count of custom events by notification_type; includes events that were removed with the history',
    source: { from: 'named_events', kind: 'custom' },
  },
  {
    name: 'site_events',
    kind: 'breakdown',
    unit: 'count',
    windows: 'lifetime',
    meaning:
      'Number of site events of each name, the 50 most frequent names. Pages track them in the browser, so the player can forge them.',
    formula: 'count of site events by name; includes events that were removed with the history',
    source: { from: 'named_events', kind: 'site_event' },
  },
];
