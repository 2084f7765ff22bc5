import { queryOptions } from '@tanstack/react-query';
import type { paths } from '../../dist/schema.d.ts';
import { inBatches } from './batch.ts';
import { api, bodyOf } from './client.ts';
import { unfollowed } from './live.ts';

/*
 * Segments, campaigns and templates for choices and names. A brand may have thousands of them, so they are never loaded
 * completely: a choice reads the first page that matches the typed text, and names are read by their codes.
 */

/** Something with a name, by its code. */
export type About = { segment: string } | { campaign: string } | { template: string };

/** The lists of the console API, by the path of each. */
export type NamedList = 'segments' | 'campaigns' | 'templates';

export interface Named {
  code: string;
  name: string;
  /** The languages of a template. */
  languages?: string[];
}

type TemplateQuery = NonNullable<paths['/api/console/v1/brands/{brand}/templates']['get']['parameters']['query']>;

interface NamedQuery {
  limit: number;
  name?: string;
  codes?: string;
  sent_on?: TemplateQuery['sent_on'];
}

/** A channel of messages whose templates can be chosen. */
export type SentOn = NonNullable<TemplateQuery['sent_on']>;

/** Number of items that a choice shows at once. */
export const choicesShown = 50;
/** The platform searches after this many milliseconds without a key press. */
export const searchPauseMs = 150;
/**
 * Maximum number of codes in one call. The API takes 200, but 200 long codes would exceed the 8 KB to which proxies limit
 * the first line of a request.
 */
const codesPerCall = 100;
/** Milliseconds for which a name is not read again. Names rarely change. A change in this console shows immediately. */
const nameStaysMs = 60_000;

function readList(list: NamedList, brand: string, query: NamedQuery): Promise<{ items: Named[]; next: string | null }> {
  const { sent_on, ...common } = query;
  const path = { brand };
  switch (list) {
    case 'segments':
      return bodyOf(api.GET('/api/console/v1/brands/{brand}/segments', { params: { path, query: common } }));
    case 'campaigns':
      return bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns', { params: { path, query: common } }));
    case 'templates':
      return bodyOf(api.GET('/api/console/v1/brands/{brand}/templates', { params: { path, query } }));
    default:
      return list satisfies never;
  }
}

interface Choices {
  items: Named[];
  /** Whether there are no others. */
  isWhole: boolean;
}

/** The first items, by name, whose name or code contains a text. @param sentOn only templates for this channel */
export const choicesQuery = (brand: string, list: NamedList, search: string, sentOn?: SentOn) =>
  queryOptions({
    queryKey: [brand, list, unfollowed, sentOn ?? 'every channel', { search }],
    queryFn: async (): Promise<Choices> => {
      const query = { limit: choicesShown, ...(search !== '' && { name: search }), ...(sentOn && { sent_on: sentOn }) };
      const { items, next } = await readList(list, brand, query);
      return { items: items.map(withoutDetails), isWhole: next === null };
    },
    // While the user types, the items of the earlier text stay. Those of another brand or channel would be wrong.
    placeholderData: (before: Choices | undefined, query) => {
      const [ofBrand, , , channel] = query?.queryKey ?? [];
      return ofBrand === brand && channel === (sentOn ?? 'every channel') ? before : undefined;
    },
  });

/** A list returns more for each item. The cache keeps only what choices need. */
const withoutDetails = ({ code, name, languages }: Named): Named => ({ code, name, ...(languages && { languages }) });

type Find = (code: string) => Promise<Named | undefined>;
const finders = new Map<string, Find>();

/** Returns the function that reads items of a list by their codes, together with others. */
function finderOf(brand: string, list: NamedList): Find {
  const key = `${brand} ${list}`;
  const find =
    finders.get(key) ??
    inBatches(
      async (codes) => (await readList(list, brand, { limit: codesPerCall, codes: codes.join(',') })).items,
      codesPerCall,
    );
  finders.set(key, find);
  return find;
}

/** Texts that cannot be a code are not sent. They come from entries that outlive what they name. */
const isCode = (text: string) => /^[^\s,]{1,64}$/.test(text);

export function aboutOf(list: NamedList, code: string): About {
  switch (list) {
    case 'segments':
      return { segment: code };
    case 'campaigns':
      return { campaign: code };
    case 'templates':
      return { template: code };
    default:
      return list satisfies never;
  }
}

export function codeOf(about: About): { list: NamedList; code: string } {
  if ('segment' in about) return { list: 'segments', code: about.segment };
  if ('campaign' in about) return { list: 'campaigns', code: about.campaign };
  return { list: 'templates', code: about.template };
}

/** The item with this code, or null if there is none. */
export function namedQuery(brand: string, about: About) {
  const { list, code } = codeOf(about);
  return queryOptions({
    queryKey: [brand, list, unfollowed, code],
    queryFn: async (): Promise<Named | null> => {
      const found = isCode(code) ? await finderOf(brand, list)(code) : undefined;
      return found === undefined ? null : withoutDetails(found);
    },
    staleTime: nameStaysMs,
  });
}

const mostCopies = 99;

/** Returns a code for a copy of a template, such as `welcome_2`, that no template has. */
export async function freeTemplateCode(brand: string, code: string): Promise<string> {
  // A code has at most 64 characters.
  const candidates = Array.from({ length: mostCopies - 1 }, (_, place) => `${code.slice(0, 60)}_${place + 2}`);
  const { items } = await readList('templates', brand, { limit: mostCopies, codes: candidates.join(',') });
  const free = candidates.find((candidate) => !items.some((one) => one.code === candidate));
  return free ?? `${code.slice(0, 50)}_${Date.now()}`;
}
