import { Alert, Button, Group, NumberInput, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../api/client.ts';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { Failed } from '../../ui/states.tsx';
import { type Draft, type Place, write } from './edits.ts';
import { begin, change, redo, undo } from './history.ts';
import { JsonField } from './json-field.tsx';
import { Steps } from './steps.tsx';

const parts = ['entry', 'audience', 'reentry', 'goal', 'exit_when', 'halt'] as const;

interface DocumentEditorProps {
  brand: string;
  code: string;
  /** Of the draft, else of the version in force. */
  document: Draft;
  hasDraft: boolean;
}

/** The document of a campaign as a form: changed as a draft, checked, and published. */
export function DocumentEditor({ brand, code, document, hasDraft }: DocumentEditorProps) {
  const words = useWords(campaignEditor);
  const may = useMay()('campaign.manage');
  const [history, setHistory] = useState(() => begin(document));
  const [saved, setSaved] = useState(document);
  const draft = history.now;
  const params = { path: { brand, code } };
  const touches = [brand, 'campaign', code];
  const save = useAct((body: Draft) => api.PUT('/api/console/v1/brands/{brand}/campaigns/{code}', { params, body }), {
    touches,
    done: words.saved,
  });
  const check = useMutation({
    mutationFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/gaps', { params })),
  });
  const publish = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/publish', { params, body: {} }),
    { touches, done: words.published },
  );
  const isChanged = draft !== saved;
  const failed = publish.error ?? check.error;
  const errors = failed instanceof ApiProblem ? failed.errors : [];
  const errorAt = (place: Place) => {
    const path = `/${place.join('/')}`;
    return errors.find((one) => one.path === path || one.path.startsWith(`${path}/`))?.message;
  };
  const set = (to: Draft) => setHistory(change(history, to));
  const keep = () => {
    check.reset();
    publish.reset();
    save.mutate(draft, { onSuccess: () => setSaved(draft) });
  };
  const reset = () => {
    publish.reset();
    check.mutate();
  };
  return (
    <Stack>
      <Group>
        <Button variant="default" disabled={history.past.length === 0} onClick={() => setHistory(undo(history))}>
          {words.undo}
        </Button>
        <Button variant="default" disabled={history.undone.length === 0} onClick={() => setHistory(redo(history))}>
          {words.redo}
        </Button>
        {may && (
          <Button disabled={!isChanged} loading={save.isPending} onClick={keep}>
            {words.save}
          </Button>
        )}
        <Button variant="light" disabled={isChanged} loading={check.isPending} onClick={reset}>
          {words.check}
        </Button>
        {may && hasDraft && !isChanged && (
          <Sure label={words.publish} text={words.publishSure} onSure={() => publish.mutate()} />
        )}
        {isChanged && (
          <Text size="sm" role="status">
            {words.unsaved}
          </Text>
        )}
      </Group>
      {errors.length > 0 && (
        <Alert color="yellow" title={words.wrong} role="alert">
          {errors.map(({ path, message }) => (
            <Text size="sm" key={`${path} ${message}`}>
              {path || '/'}: {message}
            </Text>
          ))}
        </Alert>
      )}
      {failed && errors.length === 0 && <Failed error={failed} />}
      {check.isSuccess && !isChanged && !failed && (
        <Alert color="green" role="status">
          {words.fine}
          {check.data.templates.flatMap(({ template, gaps }) =>
            gaps.map(({ variable, players }) => (
              <Text size="sm" key={`${template} ${variable}`}>
                {words.lack(players, `${template}: ${variable}`)}
              </Text>
            )),
          )}
        </Alert>
      )}
      <Group align="flex-start">
        <Select
          label={words.purpose}
          allowDeselect={false}
          value={String(draft.purpose ?? 'marketing')}
          data={[
            { value: 'marketing', label: words.marketing },
            { value: 'service', label: words.service },
          ]}
          onChange={(purpose) => set(write(draft, ['purpose'], purpose))}
        />
        <NumberInput
          label={words.priority}
          min={0}
          max={100}
          value={Number(draft.priority ?? 50)}
          onChange={(priority) => set(write(draft, ['priority'], Number(priority)))}
        />
      </Group>
      {parts.map((part) => (
        <JsonField
          key={part}
          label={words[part]}
          value={draft[part]}
          error={errorAt([part])}
          onChange={(value) => set(write(draft, [part], value))}
        />
      ))}
      <Title order={3}>{words.steps}</Title>
      <Steps list={['steps']} draft={draft} change={set} errorAt={errorAt} />
    </Stack>
  );
}
