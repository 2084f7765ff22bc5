import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as narrow as a phone. The same width as in console.css. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
