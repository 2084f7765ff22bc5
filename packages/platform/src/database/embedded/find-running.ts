import { keepSecret } from '../../kept-secret.ts';
import { clusterFolder, databaseUrl } from './cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts';

/**
 * URL of the embedded server that another process runs in this folder. Commands use it while `npm start` is running. Null
 * if no server is running.
 */
export async function findRunningPostgres(folder: string): Promise<string | null> {
  const cluster = clusterFolder(folder);
  const file = await readPostmasterFile(cluster);
  if (file === null || !(await isPostmasterOf(file.pid, cluster))) return null;
  return databaseUrl(await keepSecret(folder, 'password'), file.port);
}
