import { BrandHeld, Unreadable, WrongSettings } from '../../brands/index.ts';
import { Refused } from '../routing/refused.ts';
import { wrongFields } from '../routing/wrong-fields.ts';

/** Refuses a change of a brand, with the reason. @param below the part of the paths that the caller did not write. @throws */
export function refuseChange(error: unknown, below = ''): never {
  if (error instanceof BrandHeld || error instanceof Unreadable) throw new Refused('conflict', error.words);
  if (!(error instanceof WrongSettings)) throw error;
  const errors = error.errors.map(({ path, message }) => ({
    path: path.startsWith(below) ? path.slice(below.length) : path,
    rule: 'setting',
    message,
  }));
  const { words } = wrongFields(errors.map((one) => ({ ...one, message: `${one.path} ${one.message}` })));
  throw new Refused('invalid_request', words, { errors });
}
