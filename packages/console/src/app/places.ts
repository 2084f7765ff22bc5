import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries.ts';
import type { places } from '../text/places.ts';
import { type Permission, useMay } from '../ui/may.tsx';

type Words = (typeof places)['en'];
export type Section = keyof Omit<Words, 'pages'>;
export type Place = keyof Words['pages'];

/** The sections in the lower part of the menu, each with its pages in order. An address is `/<section>/<page>`. */
const sections: Readonly<Partial<Record<Section, readonly Place[]>>> = {
  messages: ['templates', 'media', 'sent', 'bulk-actions', 'recalls', 'contact-lists'],
  integration: [
    'checklist',
    'keys',
    'operator',
    'inspector',
    'quarantine',
    'conflicts',
    'rounds',
    'write-backs',
    'parked',
    'reconciliations',
    'resyncs',
    'rebuilds',
    'history',
    'site-script',
  ],
  rewards: ['intents', 'budgets', 'approvals', 'bonus-list'],
  compliance: [
    'decisions',
    'holds',
    'exclusions',
    'consents',
    'suppressions',
    'privacy',
    'chain',
    'contact-rules',
    'policies',
  ],
  settings: ['brand', 'brands', 'channels', 'push', 'accounts', 'audit', 'profile'],
};

/** The permissions that a page requires in addition to a role at the brand. */
const needs: Readonly<Partial<Record<Place, Permission>>> = {
  keys: 'key.manage',
  privacy: 'player.erase',
  chain: 'decision.export',
  brands: 'brand.manage',
  accounts: 'account.manage',
  audit: 'audit.read',
};

/** Returns the sections, with the pages that the caller may open at this brand. */
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

/** Returns the permission that the page of the current address requires and the caller does not have at this brand. */
export function useMissingPermission(): Permission | undefined {
  const may = useMay();
  const isKnown = useQuery(sessionQuery).data !== undefined;
  const { pathname } = useLocation();
  const [, section = '', page = ''] = pathname.split('/').filter((part) => part !== '');
  const needed = Object.hasOwn(sections, section) ? needs[page as Place] : undefined;
  return !isKnown || needed === undefined || may(needed) ? undefined : needed;
}
