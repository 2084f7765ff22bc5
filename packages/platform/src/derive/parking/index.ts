export { retryDelay } from './delays.ts';
export {
  type Cause,
  dueParked,
  failingPlayers,
  type ListedParking,
  listParked,
  type Parked,
  type Parking,
  park,
  parkedCounts,
  parkedPositions,
  postpone,
  unpark,
} from './store.ts';
