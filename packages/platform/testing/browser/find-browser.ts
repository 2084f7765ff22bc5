import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

/*
 * Finds a Chromium for the tests that need a real browser: the one in CROUPIER_TEST_BROWSER, or an installed one, or the one that
 * Playwright has downloaded. Each candidate is started to get its version, because an existing file may not work: Ubuntu's
 * `chromium-browser` only prints how to install Chromium, and Playwright's Chromium lacks libraries on a bare machine.
 *
 * The headless shell of Chromium has the same engine without a window: a new page takes 0.1 s in it instead of 0.7 s. It is preferred,
 * except for tests that need push and notifications, which only the complete browser has.
 */
export interface FoundBrowser {
  path: string;
  /** The version text: "Chromium 140.0.7339.80 ...". */
  version: string;
}

export interface BrowserSearch {
  found: FoundBrowser | null;
  /** The candidates that do not work, with the reason; empty if there is no candidate. */
  failures: string[];
}

const shells = ['chromium-headless-shell', 'chrome-headless-shell'];
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const versionTimeoutMs = 20_000;

export interface BrowserNeeds {
  /** Push and notifications, which no headless shell has. Default false. */
  push?: boolean;
}

export async function findBrowser(
  needs: BrowserNeeds = {},
  environment: NodeJS.ProcessEnv = process.env,
): Promise<BrowserSearch> {
  const failures: string[] = [];
  for (const file of candidates(needs, environment)) {
    const given = file === environment.CROUPIER_TEST_BROWSER;
    if (!given && !(await isExecutable(file))) continue;
    const version = await versionOf(file).catch((error: Error) => {
      failures.push(`${file}: ${error.message.split('\n').slice(0, 3).join(' ')}`);
      return null;
    });
    if (version !== null) return { found: { path: file, version }, failures };
    // If CROUPIER_TEST_BROWSER is set, no other browser is used.
    if (given) break;
  }
  return { found: null, failures };
}

function candidates({ push = false }: BrowserNeeds, environment: NodeJS.ProcessEnv): string[] {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter(Boolean);
  const installed = [...(push ? [] : shells), ...names].flatMap((name) =>
    folders.map((folder) => path.join(folder, name)),
  );
  return [environment.CROUPIER_TEST_BROWSER, ...installed, ...applications, playwrightPath()].filter(
    (file) => !!file,
  ) as string[];
}

/** Where Playwright stores its Chromium, whether it exists or not. */
export function playwrightPath(): string | undefined {
  try {
    return chromium.executablePath();
  } catch {
    return undefined;
  }
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, ['--version', '--no-sandbox'], { timeout: versionTimeoutMs });
  const version = stdout.split('\n').find((line) => /\d+\.\d+\.\d+/.test(line));
  if (version === undefined) throw new Error(`says no version: ${stdout.slice(0, 200)}`);
  return version.trim();
}
