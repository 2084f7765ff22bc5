import type { Api, Carrier } from './bridge.ts';
import { createCrm } from './crm.ts';

/** The app: what the loader fetches. It finds the loader's bridge on its own tag, and answers with the functions of `window.Crm`. */
const bridge = (document.currentScript as Carrier | null)?.crmBridge;
if (bridge !== undefined) bridge.ready(createCrm(bridge) satisfies Api);
