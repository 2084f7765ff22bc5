import type { CampaignError } from '@croupier/campaigns';

/** The request is refused; the message explains why. */
export class CampaignRefused extends Error {
  override name = 'CampaignRefused';
  readonly kind: 'conflict' | 'invalid';
  readonly errors: readonly CampaignError[];

  constructor(kind: 'conflict' | 'invalid', message: string, errors: readonly CampaignError[] = []) {
    super(message);
    this.kind = kind;
    this.errors = errors;
  }
}
