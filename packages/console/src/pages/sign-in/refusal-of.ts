import { ApiProblem } from '../../api/client.ts';

/** What to say about a refused single sign-on: by its reason where that has words, else as the platform says it. Pure. */
export function refusalOf(error: Error, words: Readonly<Record<string, string>>): string {
  const reason =
    error instanceof ApiProblem ? error.errors.find(({ path }) => path === 'single_sign_on')?.message : undefined;
  return (reason !== undefined && words[reason]) || error.message;
}
