import type { EventKind } from '@croupier/contracts';
import type { DerivedEvent } from '../event.ts';
import type { Verdict } from '../verdict.ts';
import type { FactTable } from './table.ts';

/**
 * The rules of a family, which `decideFacts` applies. Pure.
 *
 * `Said` is what one event says about one fact: the key of the fact, and everything that the rules need from the event.
 */
export interface FactRules<Kind extends EventKind, Fact, Key extends keyof Fact, Said extends Pick<Fact, Key>> {
  readonly kinds: readonly Kind[];
  readonly table: Pick<FactTable<Fact, Key>, 'keyOf'>;
  /** Most events are about one fact. An event that is about none has no effect. */
  read(source: DerivedEvent<Kind>): readonly Said[];
  /** Decides how the events of a batch change one fact. */
  decide(before: Fact | undefined, said: readonly Said[], timeZone: string): Decided<Fact>;
}

export interface Decided<Fact> {
  /** Undefined if the fact does not change: repeats change nothing. */
  after: Fact | undefined;
  /** The verdict of each event, in the order of the events. */
  verdicts: readonly Verdict[];
  /** The number of orphans of earlier batches whose counterpart came with this batch. */
  found?: number;
}

export interface Arrival<Kind extends EventKind, Said> {
  source: DerivedEvent<Kind>;
  said: Said;
}

export interface FactChange<Fact> {
  brand_id: number;
  /** The time zone of the brand. */
  timeZone: string;
  before: Fact | undefined;
  after: Fact;
}

export interface Decision<Fact> {
  /** The facts that changed. */
  changes: FactChange<Fact>[];
  /** The verdicts other than `applied`. */
  verdicts: Map<DerivedEvent, Verdict>;
  resolved: { brand_id: number; kind: EventKind; orphans: number }[];
}

export function readArrivals<Kind extends EventKind, Fact, Key extends keyof Fact, Said extends Pick<Fact, Key>>(
  rules: FactRules<Kind, Fact, Key, Said>,
  events: readonly DerivedEvent<Kind>[],
): Arrival<Kind, Said>[] {
  return events.flatMap((source) => rules.read(source).map((said) => ({ source, said })));
}

/**
 * Applies a batch to the facts that it touches. It takes the stored facts, by `table.keyOf`, and the events, and returns
 * the new facts.
 */
export function decideFacts<Kind extends EventKind, Fact, Key extends keyof Fact, Said extends Pick<Fact, Key>>(
  { table, decide }: FactRules<Kind, Fact, Key, Said>,
  held: ReadonlyMap<string, Fact>,
  arrivals: readonly Arrival<Kind, Said>[],
): Decision<Fact> {
  const decision: Decision<Fact> = { changes: [], verdicts: new Map(), resolved: [] };
  const outcome = new Map<DerivedEvent, Verdict[]>();
  for (const [name, own] of Map.groupBy(arrivals, ({ said }) => table.keyOf(said))) {
    const [first] = own;
    if (first === undefined) continue;
    const { brand_id, event, settings } = first.source;
    const timeZone = settings.time_zone;
    const before = held.get(name);
    const decided = decide(
      before,
      own.map(({ said }) => said),
      timeZone,
    );
    own.forEach(({ source }, i) => {
      const verdict = decided.verdicts[i] ?? 'applied';
      const others = outcome.get(source);
      if (others === undefined) outcome.set(source, [verdict]);
      else others.push(verdict);
    });
    if (decided.after !== undefined) decision.changes.push({ brand_id, timeZone, before, after: decided.after });
    const orphans = decided.found ?? 0;
    if (orphans !== 0) decision.resolved.push({ brand_id, kind: event.kind, orphans });
  }
  for (const [source, verdicts] of outcome) {
    const verdict = verdictOf(verdicts);
    if (verdict !== 'applied') decision.verdicts.set(source, verdict);
  }
  return decision;
}

/**
 * The verdict of an event about several facts: `conflict` if any of them is a conflict, `repeat` only if all of them
 * are repeats.
 */
function verdictOf(verdicts: readonly Verdict[]): Verdict {
  const [first = 'applied', ...others] = verdicts;
  if (others.every((other) => other === first)) return first;
  return verdicts.find((verdict) => verdict !== 'repeat' && verdict !== 'applied') ?? 'applied';
}
