import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The OS user that a PostgreSQL process runs as; null = the current user. */
export interface OsUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. If started as root, it runs as the user that already owns the cluster, else as the
 * first of these users that exists on the machine. We do not create a user, because that would change the machine
 * without its owner's knowledge.
 */
const candidates = ['postgres', 'nobody', 'daemon'];

/** @throws if we are root and the machine has none of the candidates */
export async function chooseOsUser(cluster: string): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(cluster).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of candidates) {
    const user = await lookUp(name);
    if (user !== null) return user;
  }
  throw new Error(
    `PostgreSQL cannot run as root, and no user ${candidates.join(', ')} exists to run it: ` +
      'start Croupier as an ordinary user, or set DATABASE_URL',
  );
}

async function lookUp(name: string): Promise<OsUser | null> {
  try {
    const ids = await Promise.all(['-u', '-g'].map((flag) => promisify(execFile)('id', [flag, name])));
    const [uid, gid] = ids.map((id) => Number(id.stdout.trim()));
    return uid && gid ? { uid, gid } : null;
  } catch {
    return null;
  }
}
