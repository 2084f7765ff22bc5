import { type RefObject, useEffect, useRef } from 'react';
import { ApiProblem } from '../api/client.ts';

type Problems = readonly { path: string; message: string }[];

/**
 * Returns the platform's errors of settings, with the paths of the form. A message may begin with its path. The form shows the
 * message at the field, so the path is removed. Pure.
 *
 * @param part the part of the call that contains the settings, such as `settings`
 */
export function problemsOf(error: Error | null, part: string): Problems {
  if (!(error instanceof ApiProblem)) return [];
  return error.errors.map(({ path, message }) => ({
    path: path.startsWith(`${part}.`) ? path.slice(part.length + 1) : path,
    message: message.startsWith(path) ? message.slice(path.length).replace(/^:? /, '') : message,
  }));
}

/**
 * Moves the focus to the first field with an error when the platform refuses the settings, because the field may be out of view.
 *
 * @param refusal the error of the last save
 * @param tried the errors of the last test of the settings
 * @returns the ref of the element that contains the fields
 */
export function useFocusOnError<Container extends HTMLElement = HTMLFormElement>(
  refusal: Error | null,
  tried?: Problems,
): RefObject<Container | null> {
  const container = useRef<Container>(null);
  useEffect(() => {
    if (refusal === null && !tried?.length) return;
    container.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refusal, tried]);
  return container;
}
