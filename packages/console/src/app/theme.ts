import { createTheme, type MantineThemeOverride } from '@mantine/core';
import type { Text } from '../text/en.ts';

const theme = createTheme({
  primaryColor: 'indigo',
  // The lighter shades have too little contrast with white.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: '600' },
  autoContrast: true,
  respectReducedMotion: true,
});

/** Returns the theme in the chosen language. It contains labels for screen readers. */
export function themeWith({ common }: Text): MantineThemeOverride {
  const closeButtonProps = { 'aria-label': common.close };
  // For screen readers, a header element in a dialog would be a second banner landmark.
  const attributes = { header: { role: 'presentation' } };
  return {
    ...theme,
    components: {
      Notification: { defaultProps: { closeButtonProps } },
      Modal: { defaultProps: { closeButtonProps, attributes } },
    },
  };
}
