import Type, { type TUnsafe } from 'typebox';
import type { Field } from './field.ts';
import { show } from './show.ts';

/** True or false; `"true"`, `"false"` in any letter case and 1, 0 are accepted. */
export function truth(description: string): Field<boolean, TUnsafe<boolean>> {
  return {
    schema: Type.Unsafe<boolean>({ type: 'boolean', description }),
    fix: 'true or false',
    presence: 'required',
    read(value, reading, name) {
      if (typeof value === 'boolean') return value;
      const spelled = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (spelled === 'true' || spelled === '1' || spelled === 1) return true;
      if (spelled === 'false' || spelled === '0' || spelled === 0) return false;
      return reading.refuse(name, 'boolean', `must be true or false; received ${show(value)}.`);
    },
  };
}
