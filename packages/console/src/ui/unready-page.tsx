import { Skeleton, Stack, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.tsx';
import { Page } from './page.tsx';
import { usePlaceOfObject, usePlaceTitles } from './place-titles.ts';
import { Failed, Loading } from './states.tsx';

/* A page before its content is loaded. Its heading is derived from its address, so it does not wait for the content. The heading of
   an object is its name if it is known. Otherwise a bar takes its place, because the name of the list would be wrong. */

export function LoadingPage() {
  const { isObject, name } = usePlaceOfObject();
  if (isObject && name === undefined)
    return (
      <Stack gap="lg">
        <UnknownName />
        <Loading />
      </Stack>
    );
  return (
    <NamedByAddress>
      <Loading />
    </NamedByAddress>
  );
}

/** Shows why the content could not be loaded. The heading is the id of the object, because its name was not loaded either. */
export function FailedPage(props: Parameters<typeof Failed>[0]) {
  return (
    <NamedByAddress>
      <Failed {...props} />
    </NamedByAddress>
  );
}

function NamedByAddress({ children }: { children: ReactNode }) {
  const [title] = usePlaceTitles();
  return title === undefined ? (
    children
  ) : (
    <Page title={title} isNaming={false}>
      {children}
    </Page>
  );
}

function UnknownName() {
  const { common } = useText();
  return (
    <Title order={2}>
      <Skeleton component="span" display="block" height="1.6rem" width="16rem" maw="100%" aria-hidden />
      <VisuallyHidden>{common.loading}</VisuallyHidden>
    </Title>
  );
}
