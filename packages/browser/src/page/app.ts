// First, because gzip packs the styles better apart from the code around them: 70 bytes.
import './ui/style/adopt.ts';
import type { Carrier } from './bridge.ts';
import { createCrm } from './crm.ts';

/**
 * The app: what the loader fetches. It finds the loader's bridge on its own tag, and answers with the functions of `window.Crm`.
 * Looked for by what it carries, as an image of the page named currentScript would stand in the place of the tag.
 */
const bridge = [...document.scripts].map(({ crmBridge }: Carrier) => crmBridge).find(Boolean);
bridge?.ready(createCrm(bridge));
