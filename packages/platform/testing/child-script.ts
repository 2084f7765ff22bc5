import { appendFileSync, existsSync } from 'node:fs';

/*
 * A child process for tests of the supervisor: `child-script.ts <journal> <what to do> ...`. It writes `started <pid>` and how
 * it ended to the journal file.
 */
const [journal = '', ...does] = process.argv.slice(2);
const note = (line: string) => appendFileSync(journal, `${line}\n`);
note(`started ${process.pid}`);

if (does.includes('crash-at-start')) process.exit(3);
if (does.includes('crash-unless-there') && !existsSync(`${journal}.there`)) process.exit(3);
process.on('SIGTERM', () => {
  note('asked to stop');
  if (!does.includes('never-stop')) process.exit(0);
});
setInterval(() => {}, 60_000);
process.send?.('ready');
