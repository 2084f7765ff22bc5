import { Button, Checkbox, Group, Modal, NumberInput, Progress, Select, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { places } from '../../text/places.ts';
import { resyncs } from '../../text/resyncs.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Sure, useAct } from '../../ui/act.tsx';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { userIdsOf } from '../user-ids.ts';

const refreshMs = 2_000;
const runStates = ['asking', 'answering', 'paused', 'done', 'cancelled'] as const;
const lookUps = ['details', 'consents', 'blocks'] as const;
const lacks = ['never', 'retrying', 'details_missing'] as const;
/** Maximum number of players that the platform accepts by id. */
const mostNamed = 10_000;

type Change = 'pause' | 'continue' | 'cancel';

/** Runs that look up many players at the operator again, with their progress. */
export function Resyncs() {
  const brand = useBrand();
  const words = useWords(resyncs);
  const title = useWords(places).pages.resyncs;
  const { common } = useText();
  const nameOf = useCode();
  const number = useNumber();
  const may = useMay()('player.resync');
  const { filters } = useFilters();
  const touches = [brand, 'resyncs'];
  const change = useAct(
    ({ resync_id, to }: { resync_id: number; to: Change }) =>
      api.POST(`/api/console/v1/brands/{brand}/resyncs/{resync_id}/${to}`, {
        params: { path: { brand, resync_id } },
        body: {},
      }),
    { touches },
  );
  const players = ({ named, filter }: { named: number | null; filter: object }) => {
    if (named !== null) return words.named(number(named));
    const conditions = Object.entries(filter).map(([field, value]) => {
      const values = (Array.isArray(value) ? value : [value]).map((one) => nameOf(String(one)));
      return `${words.conditions[field as keyof typeof words.conditions] ?? field}: ${values.join(', ')}`;
    });
    return conditions.join('; ') || words.everyone;
  };
  return (
    <Page title={title} about={words.about} actions={may && <Start brand={brand} touches={touches} />}>
      <FilterBar>
        <Choice name="state" label={common.state} of={runStates} />
      </FilterBar>
      <List
        name={[...touches, filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/resyncs', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ resync_id }) => resync_id}
        empty={Object.keys(filters).length === 0 ? words.none : common.noMatch}
        columns={[
          { title: words.requested, show: ({ requested_at }) => <Moment at={requested_at} /> },
          { title: words.players, show: players },
          { title: words.lookUps, show: ({ look_ups }) => look_ups.map((one) => nameOf(one)).join(', ') },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          {
            title: words.progress,
            show: ({ progress: { look_ups, answered, failed } }) =>
              look_ups === null ? (
                words.counting
              ) : (
                <Stack gap={2} miw={140}>
                  <Progress
                    value={look_ups === 0 ? 100 : (100 * (answered + failed)) / look_ups}
                    aria-label={words.progress}
                  />
                  <Text size="xs">{words.answered(number(answered), number(look_ups))}</Text>
                  {failed > 0 && <Text size="xs">{words.failed(number(failed))}</Text>}
                </Stack>
              ),
          },
          { title: words.finished, show: ({ finished_at }) => <Moment at={finished_at} /> },
          { title: words.by, show: ({ requested_by }) => requested_by },
          ...(may
            ? [
                {
                  title: common.actions,
                  show: ({ resync_id, state }: { resync_id: number; state: (typeof runStates)[number] }) => (
                    <Group gap={4}>
                      {state === 'asking' && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => change.mutate({ resync_id, to: 'pause' })}
                        >
                          {words.pause}
                        </Button>
                      )}
                      {state === 'paused' && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => change.mutate({ resync_id, to: 'continue' })}
                        >
                          {words.continue}
                        </Button>
                      )}
                      {state !== 'done' && state !== 'cancelled' && (
                        <Sure
                          size="compact-sm"
                          label={words.cancel}
                          text={words.cancelSure}
                          onSure={() => change.mutate({ resync_id, to: 'cancel' })}
                        />
                      )}
                    </Group>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Page>
  );
}

const choices = ['everyone', 'lacking', 'named'] as const;

/** Starts a run: for every player, for players without answers, or for a list of players. */
function Start({ brand, touches }: { brand: string; touches: readonly unknown[] }) {
  const words = useWords(resyncs);
  const { common } = useText();
  const nameOf = useCode();
  const [isOpen, { open, close }] = useDisclosure();
  const [choice, setChoice] = useState<(typeof choices)[number]>('lacking');
  const [states, setStates] = useState<string[]>(['never', 'retrying']);
  const [given, setGiven] = useState('');
  const [asked, setAsked] = useState<string[]>([...lookUps]);
  const [pace, setPace] = useState<number | string>('');
  const ids = userIdsOf(given);
  const start = useAct(
    () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/resyncs', {
          params: { path: { brand } },
          body: {
            ...(choice === 'named' && { user_ids: ids }),
            ...(choice === 'lacking' && { states: lacks.filter((one) => states.includes(one)) }),
            look_ups: lookUps.filter((one) => asked.includes(one)),
            ...(pace !== '' && { per_second: Number(pace) }),
          },
        }),
      ),
    {
      touches,
      onDone: ({ unknown_user_ids: unknown }) => {
        const message = unknown.length === 0 ? words.started : words.startedWithout(unknown.slice(0, 10).join(', '));
        notifications.show({ message, color: unknown.length === 0 ? 'green' : 'yellow' });
        close();
      },
    },
  );
  const isComplete =
    asked.length > 0 &&
    (choice !== 'named' || (ids.length > 0 && ids.length <= mostNamed)) &&
    (choice !== 'lacking' || states.length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={open}>
        {words.start}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.start}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{words.startAbout}</Text>
            <Select
              label={words.players}
              data={choices.map((value) => ({ value, label: words.choices[value] }))}
              value={choice}
              allowDeselect={false}
              onChange={(value) => setChoice(value as typeof choice)}
            />
            {choice === 'lacking' && (
              <Checkbox.Group label={words.conditions.states} value={states} onChange={setStates}>
                <Stack gap={4} mt={4}>
                  {lacks.map((one) => (
                    <Checkbox key={one} value={one} label={nameOf(one)} />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
            {choice === 'named' && (
              <Textarea
                label={words.ids}
                description={words.idsHint}
                autosize
                minRows={3}
                maxRows={10}
                value={given}
                error={ids.length > mostNamed && words.tooMany}
                onChange={({ currentTarget }) => setGiven(currentTarget.value)}
              />
            )}
            <Checkbox.Group label={words.lookUps} value={asked} onChange={setAsked}>
              <Group mt={4}>
                {lookUps.map((one) => (
                  <Checkbox key={one} value={one} label={nameOf(one)} />
                ))}
              </Group>
            </Checkbox.Group>
            <NumberInput
              label={words.pace}
              description={words.paceHint}
              min={1}
              max={1000}
              allowDecimal={false}
              value={pace}
              onChange={setPace}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {common.cancel}
              </Button>
              <Button type="submit" loading={start.isPending} disabled={!isComplete}>
                {words.run}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
