export { retryDelay } from './delays.ts';
export {
  type Cause,
  type DueEvent,
  dueParked,
  type ListedParking,
  listParked,
  type Parking,
  park,
  parkedAmong,
  parkedCounts,
  postpone,
  unpark,
} from './store.ts';
