import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { usePlaceTitles } from './place-titles.ts';
import { Failed, Loading } from './states.tsx';

/* A page before its content is loaded. Its heading is derived from its address, so it does not wait for the content. */

export function LoadingPage() {
  return (
    <NamedByAddress>
      <Loading />
    </NamedByAddress>
  );
}

export function FailedPage(props: Parameters<typeof Failed>[0]) {
  return (
    <NamedByAddress>
      <Failed {...props} />
    </NamedByAddress>
  );
}

function NamedByAddress({ children }: { children: ReactNode }) {
  const title = usePlaceTitles().at(-1);
  return title === undefined ? children : <Page title={title}>{children}</Page>;
}
