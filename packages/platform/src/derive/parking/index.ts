export { retryDelay } from './delays.ts';
export {
  dueParked,
  type ListedParking,
  listParked,
  type Parking,
  park,
  parkedCounts,
  postpone,
  unpark,
} from './store.ts';
