/** Public exports of telephone and post lists, a part of the channels; see README.md. */
export { csvHead, csvLines } from './csv.ts';
export {
  type EntryOutcome,
  type EntryState,
  endedStates,
  entryStates,
  type ListChannel,
  listChannels,
  outcomes,
} from './entry.ts';
export { type ExportedEntry, exportEntries } from './export.ts';
export { reportOutcome } from './outcome.ts';
export { listEntries, listLists, type OpenEntry } from './store.ts';
