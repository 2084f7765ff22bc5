/*
 * Loaded before a role's own code (`node --import`): shifts the clock of this process ahead by the given number of days. Only
 * the current time is changed. Durations and timers use a clock that never jumps, as on a real machine.
 */
const aheadMs = Number(process.env.FAULTS_DAYS_AHEAD) * 86_400_000;
const RealDate = Date;

class WrongDate extends RealDate {
  constructor(...given: ConstructorParameters<DateConstructor> | []) {
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...(given as [number]));
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}
globalThis.Date = WrongDate as DateConstructor;
