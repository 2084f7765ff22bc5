import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the window is as narrow as a phone. console.css uses the same width. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
