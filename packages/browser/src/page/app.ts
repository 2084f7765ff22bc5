// Styles come first, then the code that uses their classes. In this order, gzip saves 150 bytes of 12,500.
import './ui/style/adopt.ts';
import './ui/mount.tsx';
import type { AppScript } from './bridge.ts';
import { createCrm } from './crm.ts';

/**
 * The app, which the loader fetches. It finds the loader's bridge on its own tag, and passes it the functions of
 * `window.Crm`. It searches all tags for one with a bridge, because an image of the page named currentScript would hide
 * document.currentScript.
 */
const bridge = [...document.scripts].map(({ crmBridge }: AppScript) => crmBridge).find(Boolean);
bridge?.ready(createCrm(bridge));
