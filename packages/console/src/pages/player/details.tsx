import { Stack, Text, Title } from '@mantine/core';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useFieldName } from '../../text/use-field-names.ts';
import { useAgo } from '../../ui/ago.ts';
import { Rows } from '../../ui/list.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment, Named, State, useDayText, useNumber } from '../../ui/values.tsx';

interface DetailsProps {
  player: {
    profile: Readonly<Record<string, unknown>> | null;
    sync: {
      look_ups: Readonly<
        Record<
          string,
          {
            state: string;
            as_of: string | null;
            attempts: number;
            due_at: string | null;
            last_error: { at: string; reason: string; detail: string } | null;
          }
        >
      >;
      problems: readonly { look_up: string; path: string; reason: string; message: string; since: string }[];
    };
  };
}

/** Fields that are not about the player. They state the source and time of the other fields. */
const ofAnswer: ReadonlySet<string> = new Set(['as_of', 'source', 'older', 'in_doubt']);
const moments: ReadonlySet<string> = new Set(['verified_at', 'registration_date']);

/** The operator's data about the player, and the state of the look-ups. */
export function Details({ player: { profile, sync } }: DetailsProps) {
  const { details: words } = useWords(playerPage);
  const { common } = useText();
  const nameOf = useCode();
  const fieldName = useFieldName();
  const number = useNumber();
  const ago = useAgo();
  const dayText = useDayText();
  const older = (profile?.older ?? {}) as Record<string, string>;
  const fields = Object.entries(profile ?? {}).filter(
    ([name, value]) => !ofAnswer.has(name) && !['null', '""', '{}', '[]'].includes(JSON.stringify(value)),
  );
  return (
    <Stack>
      {profile === null ? (
        <Empty>{words.none}</Empty>
      ) : (
        <Rows
          items={fields}
          keyOf={([name]) => name}
          columns={[
            { title: words.field, show: ([name]) => <span title={name}>{fieldName(name)}</span> },
            {
              title: words.value,
              show: ([name, value]) => (
                <>
                  {moments.has(name) ? <Moment at={String(value)} /> : textOf(value, { ...words, day: dayText })}
                  {older[name] !== undefined && (
                    <Text size="xs" c="dimmed">
                      {words.older(ago(older[name]))}
                    </Text>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      <Rows
        items={Object.entries(sync.look_ups)}
        keyOf={([name]) => name}
        columns={[
          { title: words.lookUp, show: ([name]) => <Named of={name} /> },
          { title: common.state, show: ([, { state }]) => <State of={state} /> },
          { title: words.asOf, show: ([, { as_of }]) => <Moment at={as_of} /> },
          { title: words.attempts, align: 'right', show: ([, { attempts }]) => number(attempts) },
          { title: words.due, show: ([, { due_at }]) => <Moment at={due_at} /> },
          {
            title: words.lastError,
            show: ([, { last_error }]) =>
              last_error === null ? (
                common.none
              ) : (
                <>
                  <Moment at={last_error.at} />{' '}
                  <Text size="xs" className="timeline-line">
                    {nameOf(last_error.reason)}: {last_error.detail}
                  </Text>
                </>
              ),
          },
        ]}
      />
      {sync.problems.length > 0 && (
        <>
          <Title order={3} size="h5">
            {words.problems}
          </Title>
          <Rows
            items={sync.problems}
            keyOf={({ look_up, path, reason }) => [look_up, path, reason].join(' ')}
            columns={[
              { title: words.lookUp, show: ({ look_up }) => <Named of={look_up} /> },
              { title: words.field, show: ({ path }) => <code>{path}</code> },
              { title: common.reason, show: ({ message }) => message },
              { title: words.asOf, show: ({ since }) => <Moment at={since} /> },
            ]}
          />
        </>
      )}
    </Stack>
  );
}

/**
 * Returns a value from the operator as one line. The entries of lists are separated by commas, and objects are written
 * as `name: value`. Pure.
 */
function textOf(value: unknown, words: { yes: string; no: string; day(text: string): string }): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map((one) => textOf(one, words)).join(', ');
  if (typeof value === 'string') return words.day(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${textOf(one, words)}`)
    .join(', ');
}
