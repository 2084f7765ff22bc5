import type { Vault } from '../../brands/index.ts';
import type { BrandPushKeys, PushTokens } from '../../channels/index.ts';

/** What push needs beside what the site API is made of. */
export interface PushDeps {
  push: { vault: Vault; keys: Pick<BrandPushKeys, 'of'>; tokens: PushTokens };
}
