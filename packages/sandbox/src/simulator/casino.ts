import type { Micros, OperatorEventKind } from '@croupier/contracts';
import type { Books } from '../operator/index.ts';
import { hashText, type Random } from '../random.ts';
import { createAgenda } from './agenda.ts';
import type { Dice } from './form.ts';
import type { Body, Label } from './message.ts';
import type { Millionths } from './money.ts';
import { createOutbox } from './outbox.ts';
import type { CasinoPlayer } from './players.ts';
import type { QuirkName, Quirks } from './quirks.ts';
import { canWrite, precisionOf, type Stamp, type StampForm, writeStamp } from './stamps.ts';
import { createTruth, type TruthKeeper } from './truth/truth.ts';

/**
 * The settings of the brand that the casino must know so that its messages are read correctly. The names are those of the
 * brand's settings.
 */
export interface CasinoBrand {
  /** The fingerprint of an event depends on this number. */
  brand_id: number;
  base_currency: string;
  /** Time zone of the local offsets in timestamps. */
  time_zone: string;
  /** Time zone of timestamps that state no time zone. */
  zoneless_timestamps: string;
}

export interface PublishOptions {
  label?: Label;
  /** Delay in microseconds, in addition to the usual delay. */
  delay?: Micros;
  plain?: boolean;
}

/**
 * The simulated casino. It has a clock that only moves forward, an agenda of future actions, and the functions that
 * games, cashier and desk in `play/` need. These functions move money in the records, publish to the platform, and
 * record the truth.
 */
export interface Casino {
  readonly random: Random;
  readonly brand: CasinoBrand;
  readonly books: Books;
  readonly truth: TruthKeeper;
  readonly idPrefix: string;
  /** Draws whether a quirk occurs now, and counts it. */
  plays: Dice;
  /** Returns a time later than all those returned before. */
  now(): Micros;
  /**
   * Returns such a time as text, in a timestamp form that the kind of event uses. When parsed, it is always later than
   * `after`.
   */
  stamp(kind: OperatorEventKind, after?: Micros): Stamp;
  /** Runs the action after this many seconds. */
  later(seconds: number, action: () => void): void;
  /** Publishes an event to the platform, with the player's id. Returns the body as it is sent. */
  publish(player: CasinoPlayer, kind: OperatorEventKind, body: Body, options?: PublishOptions): string;
  rate(currency: string, at: Micros): Millionths;
  /** Returns a number for an id. Each number is unique in a simulation. */
  nextNumber(): number;
}

const day = 86_400_000_000;

/** The value of one unit in euro, in millionths. The values are close to the rates of 2024. Only their ratios matter. */
const eurosPerUnit: Record<string, Millionths> = {
  EUR: 1_000_000,
  SEK: 87_100,
  USD: 921_300,
  GBP: 1_183_400,
  NOK: 85_950,
  USDT: 921_000,
};

export interface CasinoOptions {
  random: Random;
  quirks: Quirks;
  brand: CasinoBrand;
  books: Books;
  idPrefix: string;
  /** The first number used in ids. */
  firstNumber: number;
  start: Micros;
  /** Supplies the time of timestamps. If undefined, the agenda's own time is used. */
  clock: (() => Micros) | undefined;
}

export function createCasino(options: CasinoOptions) {
  const { random, quirks, brand, books } = options;
  const truth = createTruth();
  const agenda = createAgenda<() => void>();
  const played = Object.fromEntries(Object.keys(quirks).map((name) => [name, 0])) as Record<QuirkName, number>;
  const rates = new Map<string, Millionths>();
  let agendaTime = options.start;
  let lastMoment = 0;
  let number = options.firstNumber;

  const plays: Dice = (quirk) => {
    if (!random.chance(quirks[quirk])) return false;
    played[quirk] += 1;
    return true;
  };
  const outbox = createOutbox(random, plays, (draft, label) => truth.book(draft.user_id).sent(draft.kind, label));

  function moment(): Micros {
    lastMoment = Math.max(lastMoment + 1, options.clock?.() ?? agendaTime);
    return lastMoment;
  }

  function form(kind: OperatorEventKind): StampForm {
    if (plays(kind === 'casino' ? 'zoneless_casino' : 'zoneless')) return 'zoneless';
    if (plays('one_digit_hour')) return 'one_digit_hour';
    if (plays('local_offset')) return 'offset';
    if (plays('fine_fraction')) return random.pick(['ticks', 'nanos']);
    return random.pick(['micros', 'millis']);
  }

  const casino: Casino = {
    random,
    brand,
    books,
    truth,
    plays,
    idPrefix: options.idPrefix,
    now: moment,
    stamp(kind, after = 0) {
      const at = moment();
      const wanted = form(kind);
      const zone = wanted === 'zoneless' ? brand.zoneless_timestamps : brand.time_zone;
      const fits = canWrite(at, wanted, zone) && at - (at % precisionOf(wanted)) > after;
      return writeStamp(at, fits ? wanted : 'micros', zone);
    },
    later(seconds, action) {
      agenda.add(agendaTime + Math.ceil(seconds * 1_000_000), action);
    },
    publish(player, kind, body, options = {}) {
      const { label = 'event', delay, plain } = options;
      const user_id = player.user_id;
      return outbox.publish({ kind, user_id, label, delay, plain, body: { ...body, user_id } }, agendaTime);
    },
    rate(currency, at) {
      if (currency === brand.base_currency) return 1_000_000;
      const slot = `${currency}/${Math.floor(at / day)}`;
      let rate = rates.get(slot);
      if (rate === undefined) {
        const baseValue = (eurosPerUnit[currency] ?? 1_000_000) / (eurosPerUnit[brand.base_currency] ?? 1_000_000);
        const drift = ((hashText(slot) % 2001) - 1000) / 100_000;
        rate = Math.max(1, Math.round(baseValue * (1 + drift) * 1_000_000));
        rates.set(slot, rate);
      }
      return rate;
    },
    nextNumber() {
      number += 1;
      return number;
    },
  };

  /** Runs actions until the next message is certain. It is certain when no later action can send an earlier message. */
  function actUntilMessage(): void {
    while (agenda.nextAt() < outbox.nextAt()) {
      const entry = agenda.take();
      if (entry === undefined) return;
      agendaTime = entry.at;
      entry.item();
    }
  }

  return { casino, played: played as Readonly<Record<QuirkName, number>>, outbox, actUntilMessage };
}
