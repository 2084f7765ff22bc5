import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../../database/index.ts';
import type { Derivation } from '../../derivation.ts';
import { type DerivedEvent, eventsOf } from '../../event.ts';
import { learnedCatalog, type Observation } from '../../learned-catalog.ts';

/*
 * The draw calendar of a brand: the draws that its events mention, with the details that the events contain. Values are
 * dated by the minute, because within a minute thousands of settlements repeat a draw's numbers (docs/decisions/0330).
 */
export const drawCatalog = learnedCatalog({
  table: 'draw',
  key: { brand_id: 'int', version: 'smallint', lottery_id: 'text', draw_id: 'text' },
  says: { lottery_name: 'text', lottery_type: 'text', draw_date: 'timestamptz', numbers: 'text' },
  moment: { ending: 'at', type: 'timestamptz', of: (timestamp) => timestamptzText(minuteOf(timestamp)) },
});

/** The calendar belongs to no player, so it is not listed in `tables`. */
export const draws: Derivation = {
  family: 'draws',
  kinds: ['lottery', 'lottery_purchase'],
  tables: [],
  isShared: true,
  async apply(tx, events) {
    const observed = eventsOf(events, ['lottery', 'lottery_purchase']).flatMap(drawsOf);
    await drawCatalog.save(tx, drawCatalog.learned(observed));
    return { verdicts: new Map() };
  },
};

function minuteOf(timestamp: Micros): Micros {
  return Math.floor(timestamp / 60_000_000) * 60_000_000;
}

/**
 * `version` is that of the interface. Version 1 identifies a lottery by the name of its product and a draw by its time.
 */
type ObservedDraw = Observation<
  'brand_id' | 'version' | 'lottery_id' | 'draw_id',
  'lottery_name' | 'lottery_type' | 'draw_date' | 'numbers'
>;

export function drawsOf({ brand_id, event }: DerivedEvent<'lottery' | 'lottery_purchase'>): ObservedDraw[] {
  return event.kind === 'lottery' ? drawsOfTicket(brand_id, event) : drawsOfPurchase(brand_id, event);
}

function drawsOfTicket(brand_id: number, event: DerivedEvent<'lottery'>['event']): ObservedDraw[] {
  const { lottery_id, draw_id, lottery_name, lottery_type, draw_date, draw_numbers, timestamp } = event;
  const numbers =
    draw_numbers === undefined ? undefined : JSON.stringify([draw_numbers, event.draw_special_numbers ?? []]);
  const says = { lottery_name, lottery_type, draw_date: timestamptzText(draw_date), numbers };
  return [{ of: { brand_id, version: 2, lottery_id, draw_id }, says, timestamp }];
}

function drawsOfPurchase(
  brand_id: number,
  { tickets, timestamp }: DerivedEvent<'lottery_purchase'>['event'],
): ObservedDraw[] {
  return tickets.flatMap(({ product, product_name, draws = [] }) =>
    draws.flatMap((draw): ObservedDraw[] => {
      if (draw.timestamp === undefined) return [];
      const draw_date = timestamptzText(draw.timestamp);
      const lottery_id = product_name ?? product ?? '';
      const says = { lottery_name: lottery_id, lottery_type: undefined, draw_date, numbers: undefined };
      return [{ of: { brand_id, version: 1, lottery_id, draw_id: draw_date }, says, timestamp }];
    }),
  );
}
