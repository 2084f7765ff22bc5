/**
 * Whether this process may do what its clock decides about: drop, seal, pack, begin something at somebody else's.
 * `DatabaseClock` is the one of a running process.
 */
export interface ClockGuard {
  /** True while the process's clock is more than 60 s from the database's, and until the two were compared. */
  isWrong(): boolean;
}
