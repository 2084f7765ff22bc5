import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './app/query-client.ts';
import { followRefusals } from './app/refused-session.ts';
import { router } from './app/router.tsx';
import { themeWith } from './app/theme.ts';
import { TextProvider, useText } from './text/text.tsx';
import { ReloadNotice } from './ui/parts/reload-notice.tsx';
import { DensityProvider } from './ui/table/density.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// Dialogs use a separate style element to stop the page behind them from scrolling. The npm package get-nonce reads the
// nonce of this element from this global variable.
Object.assign(globalThis, { __webpack_nonce__: nonce });
const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no element #console');

function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={themeWith(useText())} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      {children}
    </MantineProvider>
  );
}

followRefusals();

createRoot(place).render(
  <StrictMode>
    <TextProvider>
      <Themed>
        <QueryClientProvider client={queryClient}>
          <Notifications position="top-right" />
          <ReloadNotice />
          <DensityProvider>
            <RouterProvider router={router} />
          </DensityProvider>
        </QueryClientProvider>
      </Themed>
    </TextProvider>
  </StrictMode>,
);
