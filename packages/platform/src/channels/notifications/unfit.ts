import type { FieldError } from '@croupier/contracts';

/** The requested message cannot be shown as it is; each error names its field. */
export class UnfitNotification extends Error {
  override name = 'UnfitNotification';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.errors = errors;
  }
}
