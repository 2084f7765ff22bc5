import type { Page } from 'playwright-core';
import type { Installation } from '../../packages/platform/testing/installation.ts';
import { createPublisher, createSimulation } from '../../packages/sandbox/src/index.ts';
import { picture, wantsPictures } from '../site/picture.ts';
import { visit } from './session.ts';

/**
 * Visits the pages of the console that README and guides show, and saves a picture of each if pictures are requested
 * (site/picture.ts). In an ordinary test run it only checks that each page shows what its picture is for.
 *
 * The installation must have the demo's campaigns, and the timeline of `player` must contain a campaign. The pictures always show
 * the same pages, players and words; only times and counts differ from run to run.
 */
export async function takePictures(page: Page, installation: Installation, player: string): Promise<void> {
  if (wantsPictures()) await publishTraffic(installation);
  for (const { name, place, shows, isAlsoDark } of pictures(player)) {
    await visit(page, installation, place);
    await shows(page);
    // Moves the pointer away, because a link below it would be underlined.
    await page.mouse.move(0, 0);
    await picture(page, name);
    if (!isAlsoDark || !wantsPictures()) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await picture(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  }
}

interface Subject {
  /** Name of the file, without its ending. */
  name: string;
  place: string;
  /** Waits until the page shows what the picture is for. */
  shows(page: Page): Promise<void>;
  /** README shows the picture in the reader's color scheme. */
  isAlsoDark?: boolean;
}

const pictures = (player: string): Subject[] => [
  {
    name: 'console-now',
    place: 'now',
    shows: (page) => page.getByText('Events per second').waitFor(),
    isAlsoDark: true,
  },
  {
    name: 'console-campaign',
    place: 'campaigns/welcome',
    shows: (page) =>
      page
        .getByRole('button', { name: /^hello: [1-9]\d* done/ })
        .first()
        .waitFor(),
    isAlsoDark: true,
  },
  {
    name: 'console-player',
    place: `players/${player}`,
    shows: (page) =>
      page
        .getByText(/^Deposit of \d/)
        .first()
        .waitFor(),
    isAlsoDark: true,
  },
  {
    name: 'console-segment',
    place: 'segments/slipping_away?tab=rule',
    shows: (page) =>
      page
        .getByText(/^removes \d/)
        .first()
        .waitFor(),
  },
  {
    name: 'console-template',
    place: 'messages/templates/welcome',
    shows: (page) =>
      page
        .frameLocator('main iframe')
        .first()
        .getByText(/^Welcome, (?!and)/)
        .first()
        .waitFor(),
  },
  {
    name: 'console-decisions',
    place: `compliance/decisions?user_id=${player}`,
    shows: async (page) => {
      await page.getByRole('button', { name: 'Details' }).first().click();
      await page
        .getByText(/^Rule \d/)
        .first()
        .waitFor();
    },
  },
];

/**
 * Publishes the traffic of 60 players for 75 seconds. The demo's operator answers look-ups about these players. Because of
 * the seed, the traffic is the same each time.
 */
async function publishTraffic(installation: Installation): Promise<void> {
  const simulation = createSimulation({
    seed: 'pictures',
    players: 60,
    idPrefix: 'sim-',
    clock: () => Date.now() * 1000,
    firstNumber: Date.now(),
    characters: true,
  });
  const publisher = createPublisher({ url: installation.url, key: installation.key });
  await publisher.run(simulation.take(6000), { rate: 80 });
  await publisher.close();
  simulation.close();
}
