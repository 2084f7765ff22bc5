import type { EventKind } from '@croupier/contracts';
import { awaitAll } from '../../database/index.ts';
import type { Derivation } from '../derivation.ts';
import { eventsOf } from '../event.ts';
import type { Part, Totals } from '../totals/index.ts';
import { decideFacts, type FactRules, readArrivals } from './decide.ts';
import type { FactTable } from './table.ts';

/** The description of a family of facts: everything that differs between families. `factFamily` makes a derivation from it. */
export interface FactFamily<
  Kind extends EventKind,
  Fact,
  Key extends keyof Fact,
  Said extends Pick<Fact, Key>,
  Stored extends Fact = Fact,
> extends FactRules<Kind, Fact, Key, Said> {
  readonly family: string;
  readonly table: FactTable<Fact, Key, Stored>;
  /** Returns the row to store for a fact. Required if the table has columns that are never loaded. */
  stored?(fact: Fact, timeZone: string): Stored;
  /** The totals that the facts contribute to. */
  readonly counted?: readonly Counted<Fact>[];
}

export interface Counted<Fact> {
  readonly totals: Totals;
  partsOf(fact: Fact | undefined, timeZone: string): Part[];
}

/**
 * Makes a derivation that loads the facts of a batch, decides, saves what changed, and passes the differences to the
 * totals.
 */
export function factFamily<
  Kind extends EventKind,
  Fact,
  Key extends keyof Fact,
  Said extends Pick<Fact, Key>,
  Stored extends Fact = Fact,
>(spec: FactFamily<Kind, Fact, Key, Said, Stored>): Derivation & FactFamily<Kind, Fact, Key, Said, Stored> {
  const { kinds, table, counted = [], stored = (fact: Fact) => fact as Stored } = spec;
  return {
    ...spec,
    tables: [{ name: table.name }, ...counted.flatMap(({ totals }) => totals.tables)],
    totals: counted.map(({ totals }) => totals),
    async apply(tx, events, context) {
      const arrivals = readArrivals(spec, eventsOf(events, kinds));
      const keys = new Map(arrivals.map(({ said }) => [table.keyOf(said), said]));
      const held = await table.load(tx, [...keys.values()]);
      const { changes, verdicts, resolved } = decideFacts(spec, held, arrivals);
      const rows = changes.map(({ after, timeZone }) => stored(after, timeZone));
      const changeTotals = async ({ totals, partsOf }: Counted<Fact>) => {
        const parts = changes.map(({ brand_id, timeZone, before, after }) => {
          return { brand_id, before: partsOf(before, timeZone), after: partsOf(after, timeZone) };
        });
        if (parts.length > 0) await totals.change(tx, parts, context);
      };
      await awaitAll([table.save(tx, rows), ...counted.map(changeTotals)]);
      return { verdicts, resolved };
    },
  };
}
