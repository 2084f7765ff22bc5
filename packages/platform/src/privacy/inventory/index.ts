import { derivedTables, rollupTables } from '../../derive/index.ts';
import { actionTables } from './actions.ts';
import { bulkTables } from './bulk.ts';
import { campaignTables } from './campaigns.ts';
import { channelTables } from './channels.ts';
import { eventTables } from './events.ts';
import { operatorTables } from './operator.ts';
import { platformTables } from './platform.ts';
import { segmentTables } from './segments.ts';
import { elsewhere, ofPlayer, type TableEntry } from './table.ts';

/*
 * Every table, and what happens to it when a player is erased. A test reads the catalog of the database and fails if a table
 * is missing here, or a column of a table whose rows stay. So no place for personal data can be added without deciding how it
 * is emptied.
 *
 * Facts and totals come from derive's own list, and derive erases them. Two schemas contain temporary tables: rebuild_<n>
 * (dropped before an erasure) and reconciliation_stage (run_<n>: user_ids, until the run is over).
 */
export const inventory: readonly TableEntry[] = [
  ...eventTables,
  ...derivedTables.map(({ name }) => elsewhere(`live.${name}`, 'derived', ofPlayer)),
  ...derivedTables.map(({ name }) => elsewhere(`baseline.${name}`, 'derived')),
  ...rollupTables.flatMap((name) => [elsewhere(`live.${name}`, 'derived'), elsewhere(`baseline.${name}`, 'derived')]),
  ...operatorTables,
  ...actionTables,
  ...channelTables,
  ...platformTables,
  ...segmentTables,
  ...campaignTables,
  ...bulkTables,
];

export { ofPlayer, type TableEntry } from './table.ts';
