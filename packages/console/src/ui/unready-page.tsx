import { Alert, Anchor, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconQuestionMark } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { Page } from './page.tsx';
import { listAddress, usePlaceOfObject, usePlaceTitles } from './place-titles.ts';
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

/**
 * Shows why the content could not be loaded. The heading is the id of the object, because its name was not loaded either. An
 * object that does not exist has a link to its list instead of a button to try again.
 */
export function FailedPage(props: Parameters<typeof Failed>[0]) {
  const { error } = props;
  const isGone = error instanceof ApiProblem && error.status === 404;
  return <NamedByAddress>{isGone ? <Gone message={error.message} /> : <Failed {...props} />}</NamedByAddress>;
}

function Gone({ message }: { message: string }) {
  const { common } = useText();
  const { pathname } = useLocation();
  const [, list] = usePlaceTitles();
  return (
    <Alert color="yellow" icon={<IconQuestionMark />} title={common.gone} role="alert">
      <Text size="sm">{message}</Text>
      <Text size="sm">{common.goneHint}</Text>
      {list !== undefined && (
        <Anchor component={Link} to={listAddress(pathname)} size="sm" className="sentence-link" underline="always">
          {common.toList(list)}
        </Anchor>
      )}
    </Alert>
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
