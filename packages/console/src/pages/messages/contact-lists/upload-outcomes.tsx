import { Alert, Button, FileButton, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { contactLists } from '../../../text/contact-lists.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { type OutcomeFile, readOutcomes } from './outcome-file.ts';

/** At most this many refused rows are listed. */
const mostShown = 20;
/** Rows that are reported at the same time. */
const atOnce = 4;

interface Run {
  state: 'running' | 'stopped' | 'done';
  changed: number;
  same: number;
  failures: { line: number; message: string }[];
}

const started: Run = { state: 'running', changed: 0, same: 0, failures: [] };

/** Reports the outcomes of a file, row by row. A stopped upload can be repeated, because a stored outcome stays the same. */
export function UploadOutcomes({ touches }: { touches: readonly unknown[] }) {
  const words = useWords(contactLists);
  const { common } = useText();
  const brand = useBrand();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const [file, setFile] = useState<OutcomeFile & { name: string }>();
  const [run, setRun] = useState<Run>();
  const isStopped = useRef(false);
  const choose = async (chosen: File | null) => {
    if (chosen === null) return;
    setRun(undefined);
    setFile({ name: chosen.name, ...readOutcomes(await chosen.text()) });
  };
  const leave = () => {
    isStopped.current = true;
    setFile(undefined);
    setRun(undefined);
    close();
  };
  const report = async (rows: OutcomeFile['rows']) => {
    isStopped.current = false;
    let now: Run = started;
    const step = (change: Partial<Run>) => {
      now = { ...now, ...change };
      setRun(now);
    };
    step({});
    const left = [...rows];
    const one = async () => {
      for (let row = left.shift(); row !== undefined && !isStopped.current; row = left.shift()) {
        const { line, message_id, outcome } = row;
        try {
          const params = { path: { brand, message_id } };
          const { changed } = await bodyOf(
            api.POST('/api/console/v1/brands/{brand}/lists/entries/{message_id}/outcome', {
              params,
              body: { outcome },
            }),
          );
          step(changed ? { changed: now.changed + 1 } : { same: now.same + 1 });
        } catch (error) {
          step({ failures: [...now.failures, { line, message: (error as Error).message }] });
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    step({ state: isStopped.current ? 'stopped' : 'done' });
    await queries.invalidateQueries({ queryKey: touches });
  };
  const rows = file?.rows ?? [];
  const optOuts = rows.filter(({ outcome }) => outcome === 'opted_out').length;
  const ended = run === undefined ? 0 : run.changed + run.same + run.failures.length;
  const refused = [
    ...(file?.problems.map(({ line, problem }) => ({ line, message: words.problems[problem] })) ?? []),
    ...(run?.failures ?? []),
  ];
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={open}>
        {words.upload}
      </Button>
      <Modal opened={isOpen} onClose={leave} title={words.upload} size="lg">
        <Stack>
          <Text size="sm">{words.uploadAbout}</Text>
          <Group>
            <FileButton accept=".csv,text/csv" onChange={(chosen) => void choose(chosen)}>
              {(button) => (
                <Button {...button} variant="default" disabled={run?.state === 'running'}>
                  {words.choose}
                </Button>
              )}
            </FileButton>
            <Text size="sm">{file?.name}</Text>
          </Group>
          {run === undefined && optOuts > 0 && <Alert color="yellow">{words.optOuts(optOuts)}</Alert>}
          {run !== undefined && (
            <Stack gap="xs" role="status">
              <Progress value={(100 * ended) / Math.max(1, rows.length)} aria-label={words.upload} />
              <Text size="sm">{words.progress(ended, rows.length)}</Text>
              {run.state !== 'running' && <Text size="sm">{words.done(run.changed, run.same)}</Text>}
              {run.state === 'stopped' && <Text size="sm">{words.stopped}</Text>}
            </Stack>
          )}
          {refused.length > 0 && (
            <Alert color="red" title={words.failures(refused.length)} role="alert">
              {refused.slice(0, mostShown).map(({ line, message }) => (
                <Text size="sm" key={`${line} ${message}`}>
                  {words.line(line, message)}
                </Text>
              ))}
              {refused.length > mostShown && <Text size="sm">{common.others(refused.length - mostShown)}</Text>}
            </Alert>
          )}
          <Group justify="flex-end">
            {run?.state === 'running' ? (
              <Button
                variant="default"
                onClick={() => {
                  isStopped.current = true;
                }}
              >
                {words.stop}
              </Button>
            ) : (
              <Button variant="default" onClick={leave}>
                {run === undefined ? common.cancel : common.close}
              </Button>
            )}
            {run === undefined && (
              <Button disabled={rows.length === 0} onClick={() => void report(rows)}>
                {words.report(rows.length)}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
