import { ApiProblem } from '../../api/client.ts';

/** The text about a refused single sign-on: the text for its reason if there is one, else the message of the platform. Pure. */
export function refusalOf(error: Error, words: Readonly<Record<string, string>>): string {
  const reason =
    error instanceof ApiProblem ? error.errors.find(({ path }) => path === 'single_sign_on')?.message : undefined;
  return (reason !== undefined && words[reason]) || error.message;
}
