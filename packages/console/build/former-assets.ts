import { constants, copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in the folder of a build that lists the assets that the build made itself, one name per line. */
const list = 'assets.txt';

/**
 * Copies the assets of the former build into the new one. So pages that are open during an upgrade, perhaps with
 * unsaved changes, still find their files. Assets that the former build had copied itself are left out, so a build
 * contains the files of at most two builds.
 */
export async function keepFormerAssets(former: string, built: string): Promise<void> {
  const own = await readdir(join(built, 'assets'));
  await writeFile(join(built, list), own.join('\n'));
  const names = await readFile(join(former, list), 'utf8').catch(() => '');
  const isOwn = new Set(own);
  for (const name of names.split('\n').filter((one) => one !== '' && !isOwn.has(one)))
    await copyFile(join(former, 'assets', name), join(built, 'assets', name), constants.COPYFILE_EXCL);
}
