import { defaultNames } from '@croupier/browser';
import { expect, test } from 'vitest';
import { Scripts } from './scripts.ts';

test('a failed build is an error only for the callers that waited for it', async () => {
  let builds = 0;
  const scripts = new Scripts(async () => {
    builds++;
    if (builds <= 3) throw new Error('no room');
    return { loader: 'l', app: 'a', appFile: 'app-1.js', pushWorker: 'p' };
  });
  for (const ask of [() => scripts.app(), () => scripts.loader(), () => scripts.appFile()])
    await expect(ask()).rejects.toThrow('no room');
  const [app, loader, same] = [await scripts.app(), await scripts.loader(), await scripts.loader(defaultNames)];
  expect([app, loader].map(({ plain }) => plain.toString())).toEqual(['a', 'l']);
  expect(same).toBe(loader);
});
