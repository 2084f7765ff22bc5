// @ts-expect-error The page's code is checked by the package's own tsconfig.json, with a browser's types.
import { Html } from '../../src/page/ui/message/html.tsx';
// @ts-expect-error The same.
import { mountUi } from '../../src/page/ui/mount.tsx';
import { createMemoryStore } from './memory-store.ts';

/* Runs in the browser. It provides the parts of the screen that a test can access, without loader and server. */
Object.assign(globalThis, { mountUi, Html, createMemoryStore });
