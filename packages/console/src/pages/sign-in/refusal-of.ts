import { ApiProblem } from '../../api/client.ts';

/**
 * Returns the text about a refused single sign-on. It is the text for the reason, or the message of the platform if
 * there is no such text. Pure.
 */
export function refusalOf(error: Error, words: Readonly<Record<string, string>>): string {
  const reason =
    error instanceof ApiProblem ? error.errors.find(({ path }) => path === 'single_sign_on')?.message : undefined;
  return (reason !== undefined && words[reason]) || error.message;
}
