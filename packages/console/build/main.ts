/** `npm run build`, and a child process of `npm start`: builds the page of the console if it is missing or outdated. */
import { buildConsole } from './build.ts';

const began = performance.now();
const isNew = await buildConsole();
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(isNew ? `console: built in ${seconds} s\n` : 'console: up to date\n');
