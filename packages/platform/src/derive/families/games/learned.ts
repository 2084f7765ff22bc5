import { dayOf } from '@croupier/contracts';
import type { DerivedEvent } from '../../event.ts';
import { learnedCatalog, type Moment, type Observation } from '../../learned-catalog.ts';

/**
 * Names are dated by UTC day, so that a row is written at most once a day. Games are rarely renamed
 * (docs/decisions/0320).
 */
const moment: Moment = {
  ending: 'day',
  type: 'date',
  of: (timestamp) => dayOf('UTC', timestamp),
};

export const gameCatalog = learnedCatalog({
  table: 'game',
  key: { brand_id: 'int', vendor_id: 'text', game_id: 'text' },
  says: { name: 'text', type: 'text' },
  moment,
});

export const vendorCatalog = learnedCatalog({
  table: 'vendor',
  key: { brand_id: 'int', vendor_id: 'text' },
  says: { name: 'text' },
  moment,
});

type Played = DerivedEvent<'casino' | 'gameround'>;

export function gameOf({
  brand_id,
  event,
}: Played): Observation<'brand_id' | 'vendor_id' | 'game_id', 'name' | 'type'> {
  const { vendor_id, game_id, game_name, game_type, timestamp } = event;
  return {
    of: { brand_id, vendor_id, game_id },
    says: { name: unlessBlank(game_name), type: unlessBlank(game_type) },
    timestamp,
  };
}

export function vendorOf({ brand_id, event }: Played): Observation<'brand_id' | 'vendor_id', 'name'> {
  const { vendor_id, vendor_name, timestamp } = event;
  return { of: { brand_id, vendor_id }, says: { name: unlessBlank(vendor_name) }, timestamp };
}

/**
 * Game rounds must contain the field, but it may be blank. A blank name contains no information, and would replace a
 * name of the same day, because it sorts first.
 */
function unlessBlank(name: string | undefined): string | undefined {
  return name?.trim() === '' ? undefined : name;
}
