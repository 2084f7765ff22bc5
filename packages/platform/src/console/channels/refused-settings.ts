import type { SettingError } from '../../brands/index.ts';
import { Refused } from '../routing/refused.ts';

/** Settings of a channel that cannot be used, for whoever wrote them. */
export function refusedSettings(found: readonly SettingError[]): Refused {
  const errors = found.map(({ path, message }) => {
    const at = `settings.${path}`;
    return { path: at, rule: 'setting', message: `${at} ${message}` };
  });
  return new Refused('invalid_request', errors.map(({ message }) => message).join('; '), { errors });
}
