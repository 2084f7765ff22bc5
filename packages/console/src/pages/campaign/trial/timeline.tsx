import { Badge, Button, Card, Group, Slider, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { useDurationWords } from '../../../ui/duration.ts';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Moment, useMomentText } from '../../../ui/values.tsx';
import { type Editing, EditingContext, type Selection, useEditing } from '../draft/editing.ts';
import type { Draft } from '../draft/edits.ts';
import { lengthBetween } from './length-between.ts';

const Canvas = lazyPart(async () => ({ default: (await import('../canvas/canvas-view.tsx')).LoneCanvas }));

export interface TimelineRow {
  at: string;
  step: string | null;
  what: string;
  outcome: string;
  reason: string | null;
  rendered: string | null;
  channel: string | null;
  template: string | null;
  bonus_code: string | null;
  variant: string | null;
  until: string | null;
}

interface TimelineProps {
  rows: readonly TimelineRow[];
  /** Document of the campaign that was tried. */
  document: Draft;
}

/**
 * The result of a trial, on the canvas and as a list. A slider sets the moment up to which it is shown.
 * Each position of the slider is a row of the list. So a wait of 30 days takes as much space as a wait of one minute.
 */
export function Timeline({ rows, document }: TimelineProps) {
  const words = useWords(campaignTrial);
  const momentText = useMomentText();
  const duration = useDurationWords();
  const [position, setPosition] = useState(rows.length);
  const first = rows[0];
  if (first === undefined) return <Empty>{words.nothing}</Empty>;
  const now = rows[position - 1];
  const since = now === undefined ? undefined : lengthBetween(first.at, now.at);
  const moment =
    now === undefined
      ? words.atStart
      : `${momentText(now.at)}, ${since === undefined ? words.atStart : words.since(duration(since))}`;
  const go = (to: number) => setPosition(Math.max(0, Math.min(rows.length, to)));
  return (
    <Stack>
      <Card withBorder component="section" aria-label={words.timeline}>
        <Stack gap="xs">
          <Group justify="space-between">
            <Text size="sm" fw={600} aria-live="polite" className="figure">
              {moment}
            </Text>
            <Group gap={4}>
              <Text size="sm" c="dimmed" className="figure">
                {words.position(position, rows.length)}
              </Text>
              <Button size="compact-sm" variant="default" onClick={() => go(0)}>
                {words.toStart}
              </Button>
              <Button size="compact-sm" variant="default" disabled={position === 0} onClick={() => go(position - 1)}>
                {words.back}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                disabled={position === rows.length}
                onClick={() => go(position + 1)}
              >
                {words.on}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => go(rows.length)}>
                {words.toEnd}
              </Button>
            </Group>
          </Group>
          <Slider
            aria-label={words.moment}
            min={0}
            max={rows.length}
            step={1}
            value={position}
            onChange={go}
            label={null}
            thumbLabel={words.moment}
            thumbProps={{ 'aria-valuetext': moment }}
          />
        </Stack>
      </Card>
      <Way rows={rows.slice(0, position)} document={document} />
      <TimelineTable rows={rows} position={position} />
    </Stack>
  );
}

/** The path of the player on the canvas. */
function Way({ rows, document }: { rows: readonly TimelineRow[]; document: Draft }) {
  const outcomeOf = useOutcome();
  const editing = useEditing();
  const [selected, select] = useState<Selection>();
  const marks = new Map(rows.flatMap((row) => (row.step === null ? [] : [[row.step, outcomeOf(row)] as const])));
  const shown: Editing = {
    ...editing,
    draft: document,
    mayEdit: false,
    counts: new Map(),
    marks,
    selected,
    select,
    moving: undefined,
  };
  return (
    <EditingContext value={shown}>
      <div className="trial-canvas">
        <Canvas />
      </div>
    </EditingContext>
  );
}

/** Returns the text of a message without HTML tags. React escapes anything that remains. */
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns a function that returns the outcome of a step as text. */
function useOutcome(): (row: Pick<TimelineRow, 'outcome' | 'reason'>) => string {
  const words = useWords(campaignTrial);
  const codeName = useCode();
  return ({ outcome, reason }) => {
    const name = words.outcomes[outcome] ?? codeName(outcome);
    return reason === null ? name : `${name}: ${codeName(reason)}`;
  };
}

function TimelineTable({ rows, position }: { rows: readonly TimelineRow[]; position: number }) {
  const words = useWords(campaignTrial);
  const outcomeOf = useOutcome();
  const { common } = useText();
  const momentText = useMomentText();
  return (
    <Table.ScrollContainer minWidth={500}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {[common.when, words.step, words.what, words.says].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, position).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may repeat, so only their place identifies them
            <Table.Tr key={at} className={at === position - 1 ? 'trial-now' : undefined}>
              <Table.Td>
                <Moment at={row.at} />
              </Table.Td>
              <Table.Td>{row.step ?? common.none}</Table.Td>
              <Table.Td>
                <Group gap={6}>
                  <Text size="sm">{outcomeOf(row)}</Text>
                  {[row.channel, row.template, row.bonus_code, row.variant].map(
                    (one) =>
                      one !== null && (
                        <Badge key={one} size="sm" variant="default" tt="none">
                          {one}
                        </Badge>
                      ),
                  )}
                  {row.until !== null && (
                    <Text size="sm" c="dimmed">
                      {words.until(momentText(row.until))}
                    </Text>
                  )}
                </Group>
              </Table.Td>
              <Table.Td className="timeline-line">{row.rendered && textOf(row.rendered)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
