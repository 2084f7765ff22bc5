import { Alert, Button, Checkbox, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../api/client.ts';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAct } from '../../ui/act.tsx';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';
import { useEditing } from './draft/editing.ts';
import { DifferenceList } from './versions/difference-list.tsx';

interface PublishProps {
  code: string;
  /** Revision of the draft on the page. Publishing is refused if another person has changed the draft since. */
  revision: string;
  /** Why the current state cannot be published. */
  obstacle: string | undefined;
  /** The document of the current version, which may have active runs. Undefined if there is no version. */
  inForce: unknown;
}

/** Publishes the draft. First, it shows which values are missing in its messages. */
export function Publish({ code, revision, obstacle, inForce }: PublishProps) {
  const words = useWords(campaignEditor);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button data-publish disabled={obstacle !== undefined} title={obstacle} onClick={open}>
        {words.publish}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.publish} size="lg">
        <Review code={code} revision={revision} inForce={inForce} close={close} />
      </Modal>
    </>
  );
}

function Review({ code, revision, inForce, close }: Omit<PublishProps, 'obstacle'> & { close(): void }) {
  const words = useWords(campaignEditor);
  const { common } = useText();
  const number = useNumber();
  const nameOf = useCode();
  const { brand, draft } = useEditing();
  const [movesRuns, setMovesRuns] = useState(false);
  const params = { path: { brand, code } };
  const gaps = useQuery({
    queryKey: [brand, 'campaign-gaps', code],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/gaps', { params })),
    staleTime: 0,
    gcTime: 0,
  });
  const publish = useAct(
    () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/publish', {
          params: { ...params, query: { revision } },
          body: { move_runs: movesRuns },
        }),
      ),
    {
      touches: [brand, 'campaign', code],
      onDone: ({ draft }) => {
        const isWaiting = draft !== null && draft.approval !== null;
        notifications.show({
          message: isWaiting ? words.waitsForApproval : words.published,
          color: isWaiting ? 'yellow' : 'green',
        });
        close();
      },
    },
  );
  const policies = gaps.data?.policies ?? [];
  const lacks = gaps.data?.templates.flatMap(({ template, gaps: ofTemplate }) =>
    ofTemplate.filter(({ players }) => players > 0).map((gap) => ({ ...gap, template })),
  );
  const absent = gaps.data?.absent ?? [];
  const warnings = gaps.data?.warnings ?? [];
  const isFine = (lacks ?? []).length + absent.length + policies.length + warnings.length === 0;
  return (
    <Stack>
      <Text size="sm">{words.publishAbout}</Text>
      {gaps.isPending && (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{words.looking}</Text>
        </Group>
      )}
      {gaps.isError && <Mistaken error={gaps.error} />}
      {lacks !== undefined && (
        <Alert color={isFine ? 'green' : 'yellow'} role="status">
          {isFine && <Text size="sm">{words.fine}</Text>}
          {warnings.map(({ path, message }) => (
            <Text size="sm" key={`${path} ${message}`}>
              {path}: {message}
            </Text>
          ))}
          {policies.map(({ path, market, reason, players }) => (
            <Text size="sm" key={`${market} ${path} ${reason}`}>
              {path}:{' '}
              {(reason === 'policy_product_unknown' ? words.uncheckedIn : words.withheldIn)(
                number(players),
                market,
                nameOf(reason),
              )}
            </Text>
          ))}
          {absent.map(({ path, step, template, variable }) => (
            <Text size="sm" key={`${path} ${variable}`}>
              {words.absent(step, template, variable)}
            </Text>
          ))}
          {lacks.map(({ template, variable, players }) => (
            <Text size="sm" key={`${template} ${variable}`}>
              {words.lack(number(players), `${template}: ${variable}`)}
            </Text>
          ))}
        </Alert>
      )}
      {inForce !== undefined && (
        <>
          <DifferenceList before={inForce} after={draft} />
          <Checkbox
            label={words.moveRuns}
            description={words.movesNot}
            checked={movesRuns}
            onChange={({ currentTarget }) => setMovesRuns(currentTarget.checked)}
          />
        </>
      )}
      {publish.isError && <Mistaken error={publish.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button data-publish disabled={!gaps.isSuccess} loading={publish.isPending} onClick={() => publish.mutate()}>
          {words.publish}
        </Button>
      </Group>
    </Stack>
  );
}

/** The errors of the document, each with its path. */
function Mistaken({ error }: { error: Error }) {
  const words = useWords(campaignEditor);
  const errors = error instanceof ApiProblem ? error.errors : [];
  if (errors.length === 0) return <Failed error={error} />;
  return (
    <Alert color="yellow" title={words.wrong} role="alert">
      {errors.map(({ path, message }) => (
        <Text size="sm" key={`${path} ${message}`}>
          {path || '/'}: {message}
        </Text>
      ))}
    </Alert>
  );
}
