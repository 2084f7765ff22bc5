import { expect, test } from 'vitest';
import { erasedDataName, erasedRecords } from '../../../console/src/text/erased-data.ts';
import { inventory } from './inventory/index.ts';

/* The console has English and German words for everything that an erasure counts. */

/** Tables whose rows are deleted or emptied, and derived tables. */
const tables = inventory.flatMap(({ table, fate }) =>
  fate.fate === 'rows' || fate.fate === 'cells' || (fate.fate === 'elsewhere' && fate.by === 'derived') ? [table] : [],
);
const others = ['ledger.events', 'ledger.blocks', 'ledger.packs', 'ledger.unreadable', 'quarantine.redacted'];

test('the counts of an erasure have words in both languages', () => {
  expect(tables.length).toBeGreaterThan(100);
  const names = [...tables, ...others, 'reconciliation_stage'];
  const without = (language: 'en' | 'de') => names.filter((name) => erasedDataName(name, language) === undefined);
  expect([without('en'), without('de')]).toEqual([[], []]);
});

test('rewritten and damaged parts of the ledger are not records', () => {
  expect(erasedRecords({ 'ledger.events': 2, 'ledger.blocks': 1, 'ledger.unreadable': 1, 'live.payment': 3 })).toBe(5);
});
