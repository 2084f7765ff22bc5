import type { DerivedEvent } from '../event.ts';

/**
 * A name, and the latest UTC day on which an event carried one. Of two, that of the later day stands; of one day the one whose
 * bytes sort first (docs/decisions/0320): the same in any order, and no reason to write a row more than once a day.
 */
export interface Naming {
  value: string;
  /** YYYY-MM-DD */
  day: string;
}

export interface LearnedVendor {
  brand_id: number;
  vendor_id: string;
  name: Naming | undefined;
}

export interface LearnedGame extends LearnedVendor {
  game_id: string;
  type: Naming | undefined;
}

export interface Learned {
  games: LearnedGame[];
  vendors: LearnedVendor[];
}

/** What a batch says of games and vendors: each once. Pure. Repeats and rolled-back activities name their game as well as others. */
export function learnedFrom(events: readonly DerivedEvent<'casino' | 'gameround'>[]): Learned {
  const games = new Map<string, LearnedGame>();
  const vendors = new Map<string, LearnedVendor>();
  for (const { brand_id, event } of events) {
    const { vendor_id, game_id, timestamp } = event;
    const day = new Date(timestamp / 1000).toISOString().slice(0, 10);
    const vendorName = `${brand_id}:${vendor_id.length}:${vendor_id}`;
    const gameName = `${vendorName}${game_id}`;
    const vendor = vendors.get(vendorName) ?? { brand_id, vendor_id, name: undefined };
    vendors.set(vendorName, { ...vendor, name: standing(vendor.name, event.vendor_name, day) });
    const game = games.get(gameName) ?? { brand_id, vendor_id, game_id, name: undefined, type: undefined };
    games.set(gameName, {
      ...game,
      name: standing(game.name, event.game_name, day),
      type: standing(game.type, event.game_type, day),
    });
  }
  return { games: [...games.values()], vendors: [...vendors.values()] };
}

function standing(held: Naming | undefined, value: string | undefined, day: string): Naming | undefined {
  // Game rounds must carry the field, and may carry it blank: that says nothing, and would sort before any name.
  if (value === undefined || value.trim() === '') return held;
  if (held === undefined || day > held.day) return { value, day };
  return day === held.day && value !== held.value && sortsBefore(value, held.value) ? { value, day } : held;
}

/** By bytes, as store.ts has the database compare. */
function sortsBefore(a: string, b: string): boolean {
  return Buffer.from(a).compare(Buffer.from(b)) < 0;
}
