import { Type } from 'typebox';
import { namesIn } from '../paging/page.ts';
import { refusedField } from '../routing/refused.ts';
import { Profile } from './schemas.ts';

const mostNames = 50;
/** Longer than 50 names: a name of the operator's own trait has up to 113 characters (`segmentation_` and the key). */
const maxLength = 6_000;

/** The parameters with which a caller chooses what an answer contains. */
export const chosenQuery = {
  traits: Type.Optional(
    Type.String({
      maxLength,
      description:
        'Names of traits, separated by commas: deposit_count,deposit_sum_90d. The name includes the window. At most 50. Without it, a list returns no traits',
    }),
  ),
  fields: Type.Optional(
    Type.String({
      maxLength,
      description:
        'Names of profile fields, separated by commas: country,language,verified_at. Without it, a list returns no profile',
    }),
  ),
};

export const chosenTraits = (text: string | undefined) => namesIn(text, mostNames, 'traits');

export function chosenFields(text: string | undefined): string[] | undefined {
  const names = namesIn(text, mostNames, 'fields');
  const wrong = names?.filter((name) => !(name in Profile.properties)) ?? [];
  if (wrong.length === 0) return names;
  const message = {
    en: `the profile has no field ${wrong.join(', ')}`,
    de: `Das Profil hat kein Feld ${wrong.join(', ')}`,
  };
  throw refusedField('fields', 'enum', message);
}

export function pick<T extends object>(from: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as T;
}
