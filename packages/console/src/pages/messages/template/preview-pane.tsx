import { Alert, Badge, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Frame, framesOf } from '../frames/frame.tsx';
import type { BrandShown } from '../queries.ts';
import type { Channel } from '../starters.ts';
import { Audience } from './audience.tsx';
import { CauseInputs } from './cause-inputs.tsx';
import type { Fields } from './draft.ts';
import { PlayerChoice } from './player-choice.tsx';
import type { Preview } from './use-preview.ts';

interface PreviewPaneProps {
  channel: Channel;
  code: string;
  language: string;
  preview: Preview;
  settings: BrandShown;
  /** The saved version. */
  version: number;
  isChanged: boolean;
  /** The texts that are being edited. */
  fields: Fields;
}

/** Shows what a player sees: the frames of the channel, in light and dark, and which values are missing. */
export function PreviewPane({
  channel,
  code,
  language,
  preview,
  settings,
  version,
  isChanged,
  fields,
}: PreviewPaneProps) {
  const words = useWords(messages).preview;
  const [chosen, setFrame] = useState<string | null>(null);
  const [look, setLook] = useState<'light' | 'dark'>('light');
  const { data } = preview;
  const shown = data?.previews.find((one) => one.language === language);
  const frames = framesOf(channel, String(fields.event ?? 'inbox'));
  const frame = frames.find((one) => one === chosen) ?? frames[0];
  return (
    <Stack gap="sm" className="workshop-preview" component="section" aria-label={words.title}>
      <Group justify="space-between" align="flex-end" gap="xs">
        <PlayerChoice
          value={preview.player}
          onChange={preview.setPlayer}
          {...(data?.language != null && { reads: data.language })}
        />
        <Group gap="xs">
          {frames.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label={words.frame}
              value={frame ?? ''}
              onChange={setFrame}
              data={frames.map((value) => ({ value, label: words[value] }))}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={words.look}
            value={look}
            onChange={(value) => setLook(value as typeof look)}
            data={[
              { value: 'light', label: words.light },
              { value: 'dark', label: words.dark },
            ]}
          />
        </Group>
      </Group>
      {preview.failed !== null && <Failed error={preview.failed} />}
      {preview.isStale && (
        <Text size="sm" c="dimmed" role="status">
          {words.stale}
        </Text>
      )}
      {shown !== undefined && shown.missing.length > 0 && (
        <Stack gap={2} role="status">
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {words.missing}
            </Text>
            {shown.missing.map((name) => (
              <Badge key={name} color="yellow" variant="outline" tt="none" className="missing">
                {name}
              </Badge>
            ))}
          </Group>
          <Text size="xs" c="dimmed">
            {words.missingHint}
          </Text>
        </Stack>
      )}
      {shown === undefined && !preview.failed && preview.errors.length === 0 && <Loading />}
      {shown !== undefined && frame !== undefined && (
        <Frame of={frame} channel={channel} shown={shown} settings={settings} isDark={look === 'dark'} />
      )}
      {look === 'dark' && (frame === 'desktop' || frame === 'phone') && channel === 'email' && (
        <Text size="xs" c="dimmed">
          {words.darkHint}
        </Text>
      )}
      {shown !== undefined && shown.errors.length > 0 && (
        <Alert color="red" title={words.fails}>
          {shown.errors.map(({ path, message }) => (
            <Text size="sm" key={`${path} ${message}`}>
              {message}
            </Text>
          ))}
        </Alert>
      )}
      <CauseInputs
        names={data?.variables ?? []}
        samples={data?.samples}
        values={preview.cause}
        onChange={preview.setCause}
      />
      <Audience code={code} version={version} isChanged={isChanged} />
    </Stack>
  );
}
