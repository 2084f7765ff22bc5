import { api, bodyOf } from '../../api/client.ts';
import type { Listed } from '../../api/pages.ts';
import type { eventKinds } from '../integration/event-words.ts';

const pageSize = 50;

/** The kinds of entries of a timeline that are not events. */
export const besideKinds = [
  'decision',
  'message',
  'bonus_intent',
  'run',
  'segment',
  'tag',
  'change',
  'transition',
  'refresh',
  'staff',
] as const;

interface TimelineFilters {
  kind?: (typeof besideKinds)[number] | (typeof eventKinds)[number];
  from?: string;
  to?: string;
}

const readPage = (brand: string, user_id: string, filters: TimelineFilters, cursor: string | undefined) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/players/{user_id}/timeline', {
      params: {
        path: { brand, user_id },
        query: { ...filters, limit: pageSize, bodies: false, ...(cursor !== undefined && { cursor }) },
      },
    }),
  );

type Entry = Awaited<ReturnType<typeof readPage>>['items'][number];

/** Everything that happened to a player, the newest entry first. */
export const timelineList = (brand: string, userId: string, filters: TimelineFilters): Listed<Entry> => ({
  name: [brand, 'player', userId, 'timeline', filters],
  read: (cursor) => readPage(brand, userId, filters, cursor),
});
