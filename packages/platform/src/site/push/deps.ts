import type { Vault } from '../../brands/index.ts';
import type { BrandPushKeys, PushTokens } from '../../channels/index.ts';

/** Additional dependencies of push. */
export interface PushDeps {
  push: { vault: Vault; keys: Pick<BrandPushKeys, 'of'>; tokens: PushTokens };
}
