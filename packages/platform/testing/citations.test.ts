import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages as pagesMadeFromCode } from '../../../scripts/pages/pages.ts';

/*
 * Every citation must be valid: each cited page of docs/reference exists and has the cited section, item or heading; each link
 * of a page leads to a file, and its anchor to a heading.
 */
const root = path.resolve(import.meta.dirname, '../../..');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql|md|yaml)$/.test(file) && existsSync(path.join(root, file)));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The parts of a page that can be cited: its headings, the numbers of its sections, and numbered items per section. */
function contentsOf(page: string) {
  const headings: string[] = [];
  const items = new Map<string, Set<string>>();
  let section = '';
  for (const line of read(page).split('\n')) {
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      headings.push(heading);
      section = /^(\d+)\./.exec(heading)?.[1] ?? heading;
      continue;
    }
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (item !== undefined) items.set(section, (items.get(section) ?? new Set()).add(item));
  }
  return { headings, items, text: read(page).replaceAll(/\s+/g, ' ') };
}

const pages = new Map(
  ['interface', 'decisions', 'design'].map((name) => [name, contentsOf(`docs/reference/${name}.md`)]),
);

/** `docs/reference/decisions.md 2.4, "Money"`, also as the text behind a link. */
const citation =
  /docs\/reference\/(interface|decisions|design)\.md\)?(?: (\d+)(?:\.(\d+))?)?(?:, (Endpoints [A-D]|[A-Z][a-z]+(?: [a-z]+)*)(?:,? rules? (\d+))?)?(?:, "([^"\n]+)")?/g;

function problemOf(match: RegExpExecArray): string | undefined {
  const [whole, name = '', section, item, heading, rule, quoted] = match;
  const page = pages.get(name);
  if (page === undefined) return `${whole}: no such page`;
  if (section !== undefined && !page.headings.some((one) => one.startsWith(`${section}.`)))
    return `${whole}: no section ${section}`;
  if (section !== undefined && item !== undefined && !page.items.get(section)?.has(item))
    return `${whole}: no item ${section}.${item}`;
  if (name === 'interface' && heading !== undefined && !page.headings.some((one) => heading.startsWith(one)))
    return `${whole}: no heading "${heading}"`;
  if (name === 'interface' && heading !== undefined && rule !== undefined && !page.items.get(heading)?.has(rule))
    return `${whole}: no rule ${rule} below "${heading}"`;
  if (quoted !== undefined && !page.text.toLowerCase().includes(quoted.toLowerCase()))
    return `${whole}: "${quoted}" is not there`;
  return undefined;
}

describe('citations', () => {
  test('name a page of docs/reference by its path, and an existing part of it', () => {
    let seen = 0;
    const problems = files.flatMap((file) => {
      const found = [...read(file).matchAll(citation)];
      seen += found.length;
      return found.flatMap((match) => {
        const problem = problemOf(match as RegExpExecArray);
        return problem ? [`${file}: ${problem}`] : [];
      });
    });
    expect(problems).toEqual([]);
    expect(seen).toBeGreaterThan(300);
  });

  test('name no page that is not in the repository', () => {
    const bare = /(?<![\w/[-])(?:interface|decisions|design|style|proof|engage|product)\.md\b/;
    const wrong = files
      .filter((file) => !file.startsWith('docs/reference/') && !file.endsWith('citations.test.ts'))
      .filter((file) => bare.test(read(file)));
    expect(wrong).toEqual([]);
  });

  test('to a page or a section that does not exist are found', () => {
    const wrong = ['decisions.md 19', 'decisions.md 2.99', 'interface.md, Nonsense', 'decisions.md 1, "Nonsense"'];
    for (const one of wrong) {
      const match = new RegExp(citation).exec(`docs/reference/${one}`);
      expect(match && problemOf(match), one).toMatch(/no section|no item|no heading|is not there/);
    }
  });
});

test('links between pages lead to files and headings that exist', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[`*]/g, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
  const problems = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [
        ...read(file)
          .replaceAll(/```[\s\S]*?```/g, '')
          .matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"\s]+)"/g),
      ].flatMap(([, link, picture]) => {
        const target = link ?? picture ?? '';
        if (/^(https?:|mailto:)/.test(target)) return [];
        const [where = '', anchor] = target.split('#');
        const to = where === '' ? file : path.join(path.dirname(file), where);
        if (!existsSync(path.join(root, to))) return [`${file}: ${target}`];
        if (anchor === undefined || !to.endsWith('.md')) return [];
        const anchors = [...read(to).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));
        return anchors.includes(anchor) || read(to).includes(`id="${anchor}"`) ? [] : [`${file}: ${target}`];
      }),
    );
  expect(problems).toEqual([]);
});

/** A page must load quickly, and a clone must stay small. */
const pictureLimitBytes = 120_000;

test('every picture of the guides is shown by a page, has alternative text, and is small', () => {
  const text = files
    .filter((file) => file.endsWith('.md'))
    .map(read)
    .join('\n');
  const folder = path.join(root, 'docs/guides/pictures');
  const problems = readdirSync(folder).flatMap((name) => [
    ...(text.includes(`pictures/${name}`) ? [] : [`${name}: no page shows it`]),
    ...(statSync(path.join(folder, name)).size <= pictureLimitBytes
      ? []
      : [`${name}: more than ${pictureLimitBytes} bytes`]),
  ]);
  expect(problems).toEqual([]);
  const withoutText = [...text.matchAll(/!\[\s*\]\([^)]*\)|<img(?![^>]*alt="[^"]+")[^>]*>/g)].map(([whole]) => whole);
  expect(withoutText).toEqual([]);
});

test.each(Object.entries(pagesMadeFromCode))('%s is up to date; npm run docs writes it', (page, write) => {
  expect(read(page)).toBe(write());
});
