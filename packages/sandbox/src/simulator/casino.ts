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

/** The brand as the casino has to know it to be understood; the names are those of the brand's settings. */
export interface CasinoBrand {
  /** Goes into fingerprints. */
  brand_id: number;
  base_currency: string;
  /** Zone of the local offsets in timestamps. */
  time_zone: string;
  /** Zone of timestamps without one. */
  zoneless_timestamps: string;
}

export interface Telling {
  label?: Label;
  /** Microseconds later than usual. */
  delay?: Micros;
  plain?: boolean;
}

/**
 * The simulated casino: a clock that only moves forward, an agenda of what will happen, and what every game, cashier and
 * desk in `play/` needs to act: money in the books, a word to the platform, a line in the truth.
 */
export interface Casino {
  readonly random: Random;
  readonly brand: CasinoBrand;
  readonly books: Books;
  readonly truth: TruthKeeper;
  readonly idPrefix: string;
  /** Draws whether a quirk is played now, and counts it. */
  plays: Dice;
  /** A moment later than any given out before. */
  now(): Micros;
  /** The same, written in a form of the kind. Reads back later than `after`, always. */
  stamp(kind: OperatorEventKind, after?: Micros): Stamp;
  /** Lets something happen after so many seconds. */
  later(seconds: number, action: () => void): void;
  /** Tells the platform; the player's id is added. Returns the body as it travels. */
  tell(player: CasinoPlayer, kind: OperatorEventKind, body: Body, telling?: Telling): string;
  rate(currency: string, at: Micros): Millionths;
  /** Numbers for ids, each once in a simulation. */
  nextNumber(): number;
}

const day = 86_400_000_000;

/** What one unit is worth in euro, in millionths; near the truth of 2024, and only their ratios matter. */
const euroWorth: Record<string, Millionths> = {
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
  /** Where numbers in ids start. */
  firstNumber: number;
  start: Micros;
  /** Gives timestamps their time; undefined: the agenda's own time. */
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
    tell(player, kind, body, telling = {}) {
      const { label = 'event', delay, plain } = telling;
      const user_id = player.user_id;
      return outbox.publish({ kind, user_id, label, delay, plain, body: { ...body, user_id } }, agendaTime);
    },
    rate(currency, at) {
      if (currency === brand.base_currency) return 1_000_000;
      const slot = `${currency}/${Math.floor(at / day)}`;
      let rate = rates.get(slot);
      if (rate === undefined) {
        const baseValue = (euroWorth[currency] ?? 1_000_000) / (euroWorth[brand.base_currency] ?? 1_000_000);
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

  /** Lets the casino act until its next message is certain: nothing that has yet to happen can be told earlier. */
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
