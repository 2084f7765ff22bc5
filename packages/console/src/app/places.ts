import type { places } from '../text/places.ts';
import { type Permission, useMay } from '../ui/may.tsx';

type Words = (typeof places)['en'];
export type Section = keyof Omit<Words, 'pages'>;
export type Place = keyof Words['pages'];

/** The sections below the daily work, and their pages in the order of the menu. An address is `/<section>/<page>`. */
const sections: Readonly<Partial<Record<Section, readonly Place[]>>> = {
  messages: ['templates', 'media'],
  integration: [
    'checklist',
    'keys',
    'operator',
    'inspector',
    'quarantine',
    'contradictions',
    'rounds',
    'write-backs',
    'parked',
    'reconciliations',
    'rebuilds',
    'history',
    'site-script',
  ],
  rewards: ['intents', 'budgets', 'approvals', 'bonus-list'],
  compliance: ['decisions', 'holds', 'exclusions', 'consents', 'privacy', 'chain', 'contact-rules'],
  settings: ['brand', 'channels', 'push', 'accounts', 'audit', 'profile'],
};

/** What a page needs beyond a role at the brand. */
const needs: Readonly<Partial<Record<Place, Permission>>> = {
  keys: 'key.manage',
  privacy: 'player.erase',
  chain: 'decision.export',
  accounts: 'account.manage',
  audit: 'audit.read',
};

/** The sections with the pages that are open to the caller at this brand. */
export function useOpenSections(): [Section, readonly Place[]][] {
  const may = useMay();
  const isOpen = (page: Place) => {
    const permission = needs[page];
    return permission === undefined || may(permission);
  };
  return (Object.entries(sections) as [Section, readonly Place[]][]).map(([section, pages]) => [
    section,
    pages.filter(isOpen),
  ]);
}
