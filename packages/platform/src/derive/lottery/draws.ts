import { timestamptzText } from '../../database/index.ts';
import type { DerivedEvent } from '../event.ts';

/*
 * The draw calendar of a brand: the draws of which its events tell, with what they say of them. It belongs to no player, and is
 * learned as the catalogue of games is (docs/decisions/0330).
 */

/**
 * What an event says, and the latest UTC minute in which one said so. Of two sayings that of the later minute stands, of one
 * minute the one whose bytes sort first: the same in any order, and no reason to write a row more than once a minute.
 */
export interface Saying {
  value: string;
  /** As `timestamptzText` writes it, so that texts sort by time. */
  at: string;
}

export const sayings = ['lottery_name', 'lottery_type', 'draw_date', 'numbers'] as const;

export interface LearnedDraw extends Partial<Record<(typeof sayings)[number], Saying>> {
  brand_id: number;
  /** Of the interface: 1 knows a lottery by the name of its product and a draw by its time. */
  version: 1 | 2;
  lottery_id: string;
  draw_id: string;
}

/** What a batch says of draws, each once, in the order of their keys. Pure. Repeats and rejected purchases tell of draws as well as others. */
export function learnedDraws(events: readonly DerivedEvent<'lottery' | 'lottery_purchase'>[]): LearnedDraw[] {
  const draws = new Map<string, LearnedDraw>();
  for (const { brand_id, event } of events) {
    const minute = timestamptzText(Math.floor(event.timestamp / 60_000_000) * 60_000_000);
    const told = event.kind === 'lottery' ? toldByTicket(event) : toldByPurchase(event);
    for (const { version, lottery_id, draw_id, ...says } of told) {
      const name = JSON.stringify([brand_id, version, lottery_id, draw_id]);
      const draw = draws.get(name) ?? { brand_id, version, lottery_id, draw_id };
      for (const saying of sayings) {
        const value = says[saying];
        if (value !== undefined) draw[saying] = standing(draw[saying], { value, at: minute });
      }
      draws.set(name, draw);
    }
  }
  return [...draws.values()];
}

type Told = Omit<LearnedDraw, 'brand_id' | (typeof sayings)[number]> &
  Partial<Record<(typeof sayings)[number], string | undefined>>;

function toldByTicket(event: DerivedEvent<'lottery'>['event']): Told[] {
  const { lottery_id, draw_id, lottery_name, lottery_type, draw_date, draw_numbers } = event;
  const numbers =
    draw_numbers === undefined ? undefined : JSON.stringify([draw_numbers, event.draw_special_numbers ?? []]);
  const says = { lottery_name, lottery_type, draw_date: timestamptzText(draw_date), numbers };
  return [{ version: 2, lottery_id, draw_id, ...says }];
}

function toldByPurchase({ tickets }: DerivedEvent<'lottery_purchase'>['event']): Told[] {
  return tickets.flatMap(({ product, product_name, draws = [] }) =>
    draws.flatMap(({ timestamp }): Told[] => {
      if (timestamp === undefined) return [];
      const draw_date = timestamptzText(timestamp);
      const lottery_id = product_name ?? product ?? '';
      return [{ version: 1, lottery_id, draw_id: draw_date, draw_date, lottery_name: lottery_id }];
    }),
  );
}

function standing(held: Saying | undefined, said: Saying): Saying {
  if (held === undefined || said.at > held.at) return said;
  return said.at === held.at && sortsBefore(said.value, held.value) ? said : held;
}

/** By bytes, as draw-store.ts has the database compare. */
function sortsBefore(a: string, b: string): boolean {
  return Buffer.from(a).compare(Buffer.from(b)) < 0;
}
