import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Decided } from '../../facts/index.ts';
import type { Verdict } from '../../verdict.ts';
import { arrivalAmong } from '../../versions.ts';
import { classifySettlement, type Settlement, settlementOf, withSettlement } from './settlements.ts';
import {
  sameMoney,
  type Ticket,
  type TicketBet,
  type TicketIdentity,
  ticketBet,
  ticketFact,
  ticketKey,
  withBet,
} from './ticket.ts';

/** What an event says about its ticket. */
export interface TicketSaid extends TicketIdentity {
  event: { bet: TicketBet } | { settlement: Settlement };
}

export function ticketSaid(source: DerivedEvent<'lottery'>): TicketSaid {
  const { player_id, event } = source;
  const { ticket_id, lottery_id, draw_id } = event;
  const fingerprint = fingerprintOf(source);
  return {
    player_id,
    ticket_key: ticketKey(event),
    ticket_id,
    lottery_id,
    draw_id,
    event:
      event.type === 'Bet' ? { bet: ticketBet(event, fingerprint) } : { settlement: settlementOf(event, fingerprint) },
  };
}

/** Decides how events change a ticket. Pure. */
export function decideTicket(
  before: Ticket | undefined,
  said: readonly TicketSaid[],
  timeZone: string,
): Decided<Ticket> {
  const known = { bets: before?.bets ?? [], settlements: before?.settlements ?? [] };
  let { bets, settlements } = known;
  const outcome = said.map(({ event }) => {
    if ('bet' in event) {
      const how = arrivalAmong(bets, event.bet, sameMoney);
      bets = withBet(bets, event.bet);
      return { how, isSettlement: false };
    }
    const how = classifySettlement(settlements, event.settlement);
    settlements = withSettlement(settlements, event.settlement);
    return { how, isSettlement: true };
  });
  const [first] = said;
  const changed = bets !== known.bets || settlements !== known.settlements;
  const after = first === undefined || !changed ? undefined : ticketOf(first, bets, settlements, timeZone);
  const isOrphan = after?.state === 'orphan';
  const verdicts = outcome.map(({ how, isSettlement }): Verdict => {
    if (how !== 'new') return how;
    return isOrphan && isSettlement ? 'orphan' : 'applied';
  });
  const orphans = verdicts.filter((verdict) => verdict === 'orphan').length;
  // The number of events, stored or just arrived, that are no longer orphans.
  const found = after === undefined ? 0 : (before?.orphans ?? 0) + orphans - after.orphans;
  return { after, verdicts, found };
}

function ticketOf(
  { event: _, ...identity }: TicketSaid,
  bets: readonly TicketBet[],
  settlements: readonly Settlement[],
  timeZone: string,
): Ticket {
  return ticketFact(identity, bets, settlements, timeZone);
}
