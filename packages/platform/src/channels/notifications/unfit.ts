import type { FieldError } from '@croupier/contracts';

/** A message that cannot be shown as it was asked for; each error names its field. */
export class UnfitNotification extends Error {
  override name = 'UnfitNotification';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.errors = errors;
  }
}
