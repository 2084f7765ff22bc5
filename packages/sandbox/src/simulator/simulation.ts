import type { Micros } from '@croupier/contracts';
import { type Books, type BooksChange, createBooks } from '../operator/index.ts';
import { seededRandom } from '../random.ts';
import { type CasinoBrand, createCasino } from './casino.ts';
import type { Message } from './message.ts';
import { runCredited } from './play/bonuses.ts';
import { type Character, characters } from './play/characters.ts';
import { publishChange } from './play/desk.ts';
import { visit } from './play/visit.ts';
import { type CasinoPlayer, createCharacter, createPlayer } from './players.ts';
import { defaultQuirks, type QuirkName, type Quirks } from './quirks.ts';
import type { Truth } from './truth/truth.ts';

/**
 * A simulated casino that produces realistic traffic of every event kind and knows the truth about it.
 *
 * It is a discrete-event simulation. Players act when the agenda says so. Their actions move money in the records and queue
 * messages. Messages are returned in the order in which they are sent. With a held clock, the same options (including
 * `start`) give the same messages, byte for byte.
 *
 *   held clock (default)  timestamps are the agenda's: days pass as fast as messages are taken. For tests and benchmarks.
 *   real clock            timestamps are the present: a caller that takes messages at some rate gets events that happen now,
 *                         at that rate; pauses on the agenda only decide the order. For the demo.
 */
export interface SimulationOptions {
  seed?: number | string;
  /** Default 100. */
  players?: number;
  /** Rates that override the defaults. */
  quirks?: Partial<Quirks>;
  brand?: Partial<CasinoBrand>;
  /** `held`, or a function that returns the current time in microseconds. */
  clock?: 'held' | (() => Micros);
  /** The start of the held clock. Default: midnight UTC, 30 days ago, so that no event is too old or in the future. */
  start?: Micros;
  /** Mean number of visits per player and day. Default 2. */
  visitsPerDay?: number;
  /** A prefix for every user_id, so that several simulations can play on one brand. */
  idPrefix?: string;
  /** The first number in payment, round and other ids. Use a different one for each run on the same brand. Default 0. */
  firstNumber?: number;
  /** Adds players of each character (play/characters.ts), so that every usual segment has players. Default false. */
  characters?: boolean;
  /** The fake operator's records, which the simulation then updates. Default: its own records. */
  books?: Books;
}

export interface Simulation extends Iterable<Message> {
  /** Returns the next message. There is always one. */
  next(): Message;
  /** Returns this many messages. Messages that are still in the outbox are not included. */
  take(count: number): Message[];
  /**
   * Returns all messages that are still in the outbox, in the order of sending. The casino then stops acting, so everything
   * that it did has been published.
   */
  finish(): Message[];
  readonly truth: Truth;
  readonly books: Books;
  /** How many times each quirk occurred. */
  readonly played: Readonly<Record<QuirkName, number>>;
  readonly brand: CasinoBrand;
  /** The start of the held clock. With the seed and the options, it is all that is needed to repeat the run. */
  readonly start: Micros;
  /** Stops listening to the operator's records. */
  close(): void;
}

const minute = 60;
const day = 86_400;
const daysBack = 30;
/** How soon the operator publishes a change of its records, in seconds. */
const reactionSeconds = 0.2;

export function createSimulation(options: SimulationOptions = {}): Simulation {
  const brand: CasinoBrand = {
    brand_id: 1,
    base_currency: 'EUR',
    time_zone: 'Europe/Malta',
    zoneless_timestamps: 'UTC',
    ...options.brand,
  };
  const today = Math.floor(Date.now() / 1000 / day);
  const start = options.start ?? (today - daysBack) * day * 1_000_000;
  const random = seededRandom(`simulation/${options.seed ?? 1}`);
  const books = options.books ?? createBooks();
  const { casino, played, outbox, actUntilMessage } = createCasino({
    random,
    brand,
    books,
    quirks: { ...defaultQuirks, ...options.quirks },
    idPrefix: options.idPrefix ?? '',
    firstNumber: options.firstNumber ?? 0,
    start,
    clock: options.clock === 'held' ? undefined : options.clock,
  });
  const meanGap = day / (options.visitsPerDay ?? 2);
  const players = new Map<string, CasinoPlayer>();

  function scheduleNextVisit(player: CasinoPlayer): void {
    casino.later(random.gap(meanGap), () => visit(casino, player, () => scheduleNextVisit(player)));
  }

  /** Publishes changes of the records, including those that the platform made, as real operators do. */
  function react(change: BooksChange): void {
    const player = players.get(change.user_id);
    if (player === undefined || change.what === 'registered') return;
    const { what } = change;
    if (what === 'credit') casino.later(reactionSeconds, () => runCredited(casino, player, change.credit));
    else casino.later(reactionSeconds, () => publishChange(casino, player, what));
  }

  for (let place = 0; place < (options.players ?? 100); place++) {
    const player = createPlayer(casino, place);
    players.set(player.user_id, player);
    // The first three come immediately, so that a demo has traffic from its first second.
    casino.later(place < 3 ? place : random.gap(meanGap), () => visit(casino, player, () => scheduleNextVisit(player)));
  }
  function addCharacter(character: Character, id: string): void {
    const player = createCharacter(casino, character, id);
    players.set(player.user_id, player);
    casino.later(random.gap(minute), () => visit(casino, player, () => scheduleNextVisit(player)));
  }
  /** A player counts as new for only a week, so another new player comes every day. */
  function addNewcomerDaily(): void {
    addCharacter('newcomer', String(casino.nextNumber()));
    casino.later(day, addNewcomerDaily);
  }
  if (options.characters) {
    addNewcomerDaily();
    for (const character of characters) if (character !== 'newcomer') addCharacter(character, '1');
  }
  const unlisten = books.listen(react);

  function next(): Message {
    actUntilMessage();
    const message = outbox.take();
    if (message === undefined) throw new Error('a simulation without players has nothing to publish');
    return message;
  }

  return {
    next,
    take: (count) => Array.from({ length: count }, next),
    finish() {
      const rest: Message[] = [];
      for (let message = outbox.take(); message !== undefined; message = outbox.take()) rest.push(message);
      return rest;
    },
    *[Symbol.iterator]() {
      for (;;) yield next();
    },
    truth: casino.truth,
    books,
    played,
    brand,
    start,
    close: unlisten,
  };
}
