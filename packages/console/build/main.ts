/**
 * Builds the page of the console if it is missing or outdated. `npm run build` runs this file, and so does `npm start`
 * in a child process.
 */
import { buildConsole } from './build.ts';

const began = performance.now();
const isNew = await buildConsole();
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(isNew ? `console: built in ${seconds} s\n` : 'console: up to date\n');
