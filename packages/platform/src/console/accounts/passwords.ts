import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { WordedError } from '../../language.ts';

/*
 * Passwords are stored as scrypt hashes in text that includes the cost, so that a later release can raise the cost and old
 * hashes can still be verified:
 *
 *   scrypt$<N>$<r>$<p>$<salt, base64url>$<hash, base64url>
 *
 * Cost: N = 2^15, r = 8, p = 3 is one of the settings that OWASP's password storage page lists as equal. It needs 32 MiB and
 * about 0.3 s on the reference machine. Another one, 2^17 with p = 1, needs 128 MiB per login. Each process computes
 * one hash at a time, so a flood of logins uses at most 32 MiB. The number of waiting logins is limited, too.
 */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const saltBytes = 16;
const hashBytes = 32;
const waitingLimit = 20;

export const passwordMinLength = 12;
/** Longer passwords are refused, not cut. scrypt accepts any length, but a request body does not. */
export const passwordMaxLength = 200;

/** Too many sign-ins wait for their turn, or too many passwords wait to be hashed. The API answers 429. */
export class LoginsBusy extends WordedError {
  override name = 'LoginsBusy';
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return format(salt, hash);
}

function format(salt: Buffer, hash: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** False for a wrong password and for text that is not a hash. Takes the same time in both cases. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * The hash of an unknown password. A login with an unknown e-mail is checked against it, so that it takes as long as
 * one with a wrong password, and the time does not reveal which e-mails have an account.
 */
export const unknownAccountPassword: string = format(randomBytes(saltBytes), randomBytes(hashBytes));

let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

function derive(password: string, salt: Buffer, options: { N: number; r: number; p: number }): Promise<Buffer> {
  if (waiting >= waitingLimit)
    return Promise.reject(
      new LoginsBusy({
        en: 'too many passwords are waiting to be hashed; retry later',
        de: 'Zu viele Anmeldungen warten; versuchen Sie es später erneut',
      }),
    );
  waiting += 1;
  const result = turn
    .then(() => runScrypt(password, salt, options))
    .finally(() => {
      waiting -= 1;
    });
  turn = result.catch(() => undefined);
  return result;
}

function runScrypt(password: string, salt: Buffer, options: { N: number; r: number; p: number }): Promise<Buffer> {
  // By default Node refuses more than 32 MiB; scrypt needs 128 * N * r bytes and a little more.
  const withMemory: ScryptOptions = { ...options, maxmem: 256 * options.N * options.r };
  return new Promise((resolve, reject) => {
    // Uses the composed form, because the same password typed on another keyboard must give the same bytes.
    scrypt(password.normalize('NFC'), salt, hashBytes, withMemory, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
