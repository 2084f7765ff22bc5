import type { PlatformEvent } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { LocalizedText } from '../../language.ts';
import { readGameNames } from '../games/game-names.ts';
import { summaryOfEvent } from './summary.ts';

interface Summarized {
  /** Null if it can no longer be read. */
  event: PlatformEvent | null;
  summary: LocalizedText | null;
}

/**
 * Returns the same events. If the summary of a bet or round lacks the name of the game or of its vendor, the name is added from the
 * catalog, which has it from other events of the brand. A name that an event contains is never replaced. If no event of the brand
 * contained the name, the summary keeps the id.
 *
 * One query for all events of a page, and none if every event contains its names.
 */
export async function withGameNames<Item extends Summarized>(
  pool: Pool,
  brandId: number,
  items: readonly Item[],
): Promise<Item[]> {
  const unnamed = items.flatMap(({ event }) => (isUnnamed(event) ? event : []));
  if (unnamed.length === 0) return [...items];
  const namesOf = await readGameNames(pool, brandId, unnamed);
  return items.map((item) => {
    const { event } = item;
    if (!isUnnamed(event)) return item;
    const { game_name, vendor_name } = namesOf(event);
    return {
      ...item,
      summary: summaryOfEvent({
        ...event,
        ...(isBlank(event.game_name) && game_name !== null && { game_name }),
        ...(isBlank(event.vendor_name) && vendor_name !== null && { vendor_name }),
      }),
    };
  });
}

type Played = Extract<PlatformEvent, { kind: 'casino' | 'gameround' }>;

function isUnnamed(event: PlatformEvent | null): event is Played {
  if (event === null || (event.kind !== 'casino' && event.kind !== 'gameround')) return false;
  return isBlank(event.game_name) || isBlank(event.vendor_name);
}

const isBlank = (name: string | undefined): boolean => name === undefined || name.trim() === '';
