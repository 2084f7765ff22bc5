import type { Message } from '../simulator/index.ts';

/**
 * Remembers what was published last, by the simulated players and by visitors of the casino, for the live view: the messages,
 * the game rounds, and the order in which players were active.
 */
export type Traffic = ReturnType<typeof createTraffic>;

/** A game round as the messages describe it. Amounts are in whole units of the currency. */
interface Round {
  user_id: string;
  game: string;
  currency: string;
  stake: number;
  win: number;
  has_ended: boolean;
  /** Whether the message about the whole round was published. It contains all bets and wins. */
  is_summed_up: boolean;
  /** Whether a bet or a win was taken back. */
  is_corrected: boolean;
}

/** At two events per second, the default of the demo, a message of a visitor stays for 15 seconds. */
const recentLimit = 30;
/** More rounds are kept than shown, because a round can last for hours. */
const roundsKept = 200;
const roundsShown = 20;

export function createTraffic() {
  const recent: Message[] = [];
  /** The round of the newest message is the last. */
  const rounds = new Map<string, Round>();
  /** The player of the newest message is the last. */
  const active = new Set<string>();

  function addToRound(message: Message): void {
    const body = JSON.parse(message.body) as Record<string, unknown>;
    const key = JSON.stringify([message.user_id, body.vendor_id, body.game_id, body.round_id]);
    const known = rounds.get(key);
    const round = known ?? newRound(message.user_id, body);
    if (message.kind === 'gameround') sumUp(round, body);
    else addActivity(round, body);
    if (typeof body.game_name === 'string') round.game = body.game_name;
    rounds.delete(key);
    rounds.set(key, round);
    const [oldest] = rounds.keys();
    if (rounds.size > roundsKept && oldest !== undefined) rounds.delete(oldest);
  }

  return {
    add(message: Message): void {
      recent.unshift(message);
      recent.length = Math.min(recent.length, recentLimit);
      active.delete(message.user_id);
      active.add(message.user_id);
      // All other labels are repetitions and mistakes, which change no round.
      if (message.label === 'event' && (message.kind === 'casino' || message.kind === 'gameround')) addToRound(message);
    },
    /** Newest first. */
    recent: recent as readonly Message[],
    /** Returns the ids of all players of messages. The player of the newest message is the first. */
    activeUserIds: () => [...active].reverse(),
    /** Returns the rounds with the newest messages, newest first. */
    rounds: () =>
      [...rounds.values()]
        .slice(-roundsShown)
        .reverse()
        .map((round) => ({
          user_id: round.user_id,
          game: round.game,
          currency: round.currency,
          stake: Math.max(0, round.stake),
          win: Math.max(0, round.win),
          state: stateOf(round),
        })),
  };
}

function newRound(user_id: string, { vendor_id, game_id, currency, user_currency }: Record<string, unknown>): Round {
  return {
    user_id,
    game: `${vendor_id} ${game_id}`,
    currency: String(currency ?? user_currency),
    stake: 0,
    win: 0,
    has_ended: false,
    is_summed_up: false,
    is_corrected: false,
  };
}

function sumUp(round: Round, body: Record<string, unknown>): void {
  const sum = (...names: string[]) => names.reduce((total, name) => total + Number(body[name] ?? 0), 0);
  round.stake = sum('real_bet_user', 'bonus_bet_user');
  round.win = sum('real_win_user', 'bonus_win_user');
  round.has_ended = true;
  round.is_summed_up = true;
}

function addActivity(round: Round, { type, status, amount, is_round_end }: Record<string, unknown>): void {
  const isTakenBack = status === 'Rollback';
  if (is_round_end === true) round.has_ended = true;
  if (isTakenBack) round.is_corrected = true;
  else if (round.is_summed_up) return;
  const change = (isTakenBack ? -1 : 1) * Number(amount ?? 0);
  if (type === 'Bet') round.stake += change;
  else if (type === 'Win') round.win += change;
}

function stateOf(round: Round): 'in play' | 'won' | 'lost' | 'corrected' {
  if (round.is_corrected) return 'corrected';
  if (!round.has_ended) return 'in play';
  return round.win > 0 ? 'won' : 'lost';
}
