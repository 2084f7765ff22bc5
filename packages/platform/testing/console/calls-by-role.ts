import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Role, roles } from '../../src/console/access/roles.ts';

const file = path.join(import.meta.dirname, '../../src/console/access/calls-by-role.md');

/** The written table of which role may make which call (`calls-by-role.md`), as data. */
export interface CallsByRole {
  /** The roles that may make each call, such as `GET /brands/:brand`. */
  calls: ReadonlyMap<string, ReadonlySet<Role>>;
  anyone: readonly string[];
  signedIn: readonly string[];
}

/** @throws if a row does not match the head of the table, or if a call is listed twice */
export function readCallsByRole(): CallsByRole {
  const text = readFileSync(file, 'utf8');
  const section = (title: string) => text.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const listed = (title: string) => [...section(title).matchAll(/^- `(.+)`$/gm)].map(([, call = '']) => call);
  const calls = new Map<string, ReadonlySet<Role>>();
  for (const [line] of text.matchAll(/^\| .+ \|$/gm)) {
    const [call = '', ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    if (/^-+$/.test(call)) continue;
    if (call === 'Call') {
      if (cells.join() !== roles.join()) throw new Error(`the head of the table must name ${roles.join(', ')}`);
      continue;
    }
    const name = call.replaceAll('`', '');
    if (calls.has(name)) throw new Error(`${name} is in the table twice`);
    if (cells.length !== roles.length || cells.some((cell) => cell !== 'yes' && cell !== '–')) {
      throw new Error(`the row of ${name} must say yes or – for each of ${roles.join(', ')}`);
    }
    calls.set(name, new Set(roles.filter((_, place) => cells[place] === 'yes')));
  }
  return {
    calls,
    anyone: listed('Calls that anyone may make'),
    signedIn: listed('Calls of every account that is signed in'),
  };
}
