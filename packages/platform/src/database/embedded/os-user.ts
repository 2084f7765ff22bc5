import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The OS user that a PostgreSQL process runs as; null = ours. */
export interface OsUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as the user that owns the cluster already, else as the
 * first of these that the machine knows. We create no user: that would change a machine behind its owner's back.
 */
const candidates = ['postgres', 'nobody', 'daemon'];

/** @throws when we are root and the machine has none of the candidates. */
export async function chooseOsUser(cluster: string): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(cluster).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of candidates) {
    const user = await lookUp(name);
    if (user !== null) return user;
  }
  throw new Error(
    `PostgreSQL cannot run as root, and there is no user ${candidates.join(', ')} to run it as: ` +
      'start Croupier as an ordinary user, or give DATABASE_URL',
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
