import type { SettingError } from '../../brands/index.ts';
import type { Refused } from '../routing/refused.ts';
import { wrongFields } from '../routing/wrong-fields.ts';

/** The error for channel settings that cannot be used. */
export function refusedSettings(found: readonly SettingError[]): Refused {
  return wrongFields(
    found.map(({ path, message }) => {
      const at = `settings.${path}`;
      return { path: at, rule: 'setting', message: `${at} ${message}` };
    }),
  );
}
