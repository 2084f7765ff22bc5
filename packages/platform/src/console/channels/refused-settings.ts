import type { SettingError } from '../../brands/index.ts';
import { Refused } from '../routing/refused.ts';

/** The error for channel settings that cannot be used. */
export function refusedSettings(found: readonly SettingError[]): Refused {
  const errors = found.map(({ path, message }) => {
    const at = `settings.${path}`;
    return { path: at, rule: 'setting', message: `${at} ${message}` };
  });
  return new Refused('invalid_request', errors.map(({ message }) => message).join('; '), { errors });
}
