/**
 * Whether this process may do things that depend on its clock: drop, seal, pack, or start something in another system.
 * A running process uses `DatabaseClock`.
 */
export interface ClockGuard {
  /** True while the process's clock differs from the database's by more than 60 s, and until the two were compared. */
  isWrong(): boolean;
}
