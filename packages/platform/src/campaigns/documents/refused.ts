import type { CampaignError } from '@croupier/campaigns';
import { WordedError, type Words } from '../../language.ts';
import type { CampaignState } from './state.ts';

/** The states of a campaign as the end of a German sentence about it. */
export const germanStates: Readonly<Record<CampaignState, string>> = {
  draft: 'ist ein Entwurf',
  live: 'ist in Kraft',
  paused: 'ist angehalten',
  stopped: 'ist beendet',
  failed: 'ist fehlgeschlagen',
};

/** The request is refused; the message explains why. */
export class CampaignRefused extends WordedError {
  override name = 'CampaignRefused';
  readonly kind: 'conflict' | 'invalid';
  readonly errors: readonly CampaignError[];

  constructor(kind: 'conflict' | 'invalid', words: Words, errors: readonly CampaignError[] = []) {
    super(words);
    this.kind = kind;
    this.errors = errors;
  }
}
