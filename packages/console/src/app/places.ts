import type { places } from '../text/places.ts';

type Words = (typeof places)['en'];
export type Section = keyof Omit<Words, 'pages'>;
export type Place = keyof Words['pages'];

/** The sections below the daily work, and their pages in the order of the menu. An address is `/<section>/<page>`. */
export const sections: Readonly<Partial<Record<Section, readonly Place[]>>> = {
  messages: ['templates', 'media'],
  integration: [
    'checklist',
    'keys',
    'operator',
    'inspector',
    'quarantine',
    'contradictions',
    'parked',
    'reconciliations',
    'rebuilds',
    'history',
    'site-script',
  ],
  rewards: ['intents', 'budgets', 'approvals', 'bonus-list'],
  compliance: ['decisions', 'exclusions', 'consents', 'privacy', 'chain', 'contact-rules'],
  settings: ['brand', 'channels', 'push', 'accounts', 'audit', 'profile'],
};
