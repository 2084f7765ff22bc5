/*
 * Loaded before a role's own code (`node --import`): the machine's clock of this process is so many days ahead. Only what asks for the
 * time is changed; lengths of time and timers are those of a clock that never steps, as on a real machine.
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
