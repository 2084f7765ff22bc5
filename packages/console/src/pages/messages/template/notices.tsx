import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ApiProblem } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { useNames } from '../../../ui/named/use-names.ts';
import { Overtaken } from '../../../ui/overtaken.tsx';
import { Failed } from '../../../ui/states.tsx';
import { To } from '../../../ui/to.tsx';
import type { useDraft } from './use-draft.ts';

interface NoticesProps {
  work: ReturnType<typeof useDraft>;
  /** The reason why the template was not saved. */
  failed: Error | null;
  errors: readonly { path: string; message: string }[];
  /** Templates that use a block. */
  usedBy: readonly string[];
  campaigns: readonly { code: string; published: boolean }[];
  forgetError(): void;
}

/** Notices above the editor: about a restored draft, about changes of an older version, about errors, and about a newer version by another person. */
export function Notices({ work, failed, errors, usedBy, campaigns, forgetError }: NoticesProps) {
  const words = useWords(messages).editor;
  const naming = useNames([
    ...usedBy.map((template) => ({ template })),
    ...campaigns.map(({ code }) => ({ campaign: code })),
  ]);
  const isExplained = work.isOvertaken || (failed instanceof ApiProblem && failed.status === 400);
  return (
    <>
      {work.isRestored && (
        <Alert color="blue" role="status">
          <Group justify="space-between">
            <Text size="sm">{words.restored}</Text>
            <Button size="xs" variant="default" onClick={work.discard}>
              {words.discard}
            </Button>
          </Group>
        </Alert>
      )}
      {work.older !== undefined && (
        <Alert color="yellow" role="status" title={words.older(work.older.version)}>
          <Stack align="flex-start" gap="xs">
            <Text size="sm">{words.olderHint(work.version)}</Text>
            <Group gap="xs">
              <Button size="xs" variant="light" onClick={work.takeOlder}>
                {words.useOlder}
              </Button>
              <Button size="xs" variant="default" onClick={work.dropOlder}>
                {words.dropOlder}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      <Overtaken edited={work} forgetError={forgetError} />
      {failed !== null && !isExplained && <Failed error={failed} />}
      {errors.length > 0 && (
        <Alert color="yellow" title={words.problems} role="alert">
          {errors.map(({ path, message }) => (
            <Text size="sm" key={`${path} ${message}`}>
              {message}
            </Text>
          ))}
        </Alert>
      )}
      {usedBy.length + campaigns.length > 0 && (
        <Group gap="xs">
          <Text size="sm">{words.inUse('')}</Text>
          {usedBy.map((code) => (
            <To key={code} to={`messages/templates/${code}`}>
              {naming({ template: code })}
            </To>
          ))}
          {campaigns.map(({ code, published }) => (
            <To key={code} to={`campaigns/${code}`}>
              {published ? naming({ campaign: code }) : `${naming({ campaign: code })} (${words.draft})`}
            </To>
          ))}
        </Group>
      )}
    </>
  );
}
