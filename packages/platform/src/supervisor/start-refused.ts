/** A start that failed because of something that a person can correct. The message states the problem and the correction. */
export class StartRefused extends Error {
  override name = 'StartRefused';
  /** True if a later start can succeed without a correction, for example when another program has ended. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass = false }: { mayPass?: boolean } = {}) {
    super(message);
    this.mayPass = mayPass;
  }
}
