import { Alert, Card, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { isDrawable, RuleBuilder } from '../../rule-builder/index.ts';
import { useText } from '../../text/text.tsx';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';
import { SomePlayers } from '../some-players.tsx';
import { RuleSentence } from './rule-sentence.tsx';
import { readRule, writeRule } from './rule-text.ts';
import { TryPlayer } from './try-player.tsx';
import { useRuleAnswer } from './use-rule-answer.ts';
import { useRuleFields } from './use-rule-fields.ts';

interface RuleEditorProps {
  brand: string;
  text: string;
  onChange(text: string): void;
}

/**
 * Edits a rule as a tree or as JSON, which are two views of one text. It also shows the rule's sentence, its errors,
 * the number of matching players, and the number that each condition removes.
 */
export function RuleEditor({ brand, text, onChange }: RuleEditorProps) {
  const { rules: words } = useText();
  const number = useNumber();
  const [view, setView] = useState('builder');
  const fields = useRuleFields();
  const answer = useRuleAnswer(brand, text);
  const { rule } = readRule(text);
  const drawable = isDrawable(rule) ? rule : undefined;
  const note = (path: string) => {
    const removes = answer.preview.data?.per_condition.find((condition) => condition.path === path)?.removes;
    if (removes === undefined || answer.isOld) return null;
    return (
      <Text size="xs" c="dimmed" className="figure" style={{ whiteSpace: 'nowrap' }}>
        {words.removesSome(number(removes))}
      </Text>
    );
  };
  return (
    <Stack>
      <Answer brand={brand} answer={answer} isDrawn={view === 'builder' && drawable !== undefined} />
      <Group>
        <SegmentedControl
          aria-label={words.view}
          value={view}
          onChange={setView}
          data={[
            { value: 'builder', label: words.builder },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {view === 'builder' && drawable === undefined && <Alert color="yellow">{words.notDrawable}</Alert>}
      {view === 'builder' && drawable !== undefined && fields.isLoadingError && (
        <Failed error={fields.error} onRetry={() => fields.refetch()} />
      )}
      {view === 'builder' && drawable !== undefined && fields.data !== undefined && (
        <RuleBuilder
          rule={drawable}
          onChange={(changed) => onChange(writeRule(changed))}
          catalog={fields.data.items}
          errors={answer.errors}
          note={note}
        />
      )}
      {view === 'json' && (
        <Textarea
          label={words.rule}
          description={words.ruleHint}
          rows={14}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          classNames={{ input: 'code' }}
          spellCheck={false}
        />
      )}
      {answer.isUsable && <TryPlayer brand={brand} rule={rule} />}
    </Stack>
  );
}

interface AnswerProps {
  brand: string;
  answer: ReturnType<typeof useRuleAnswer>;
  isDrawn: boolean;
}

/**
 * Shows the sentence, the count and some of the players, or the reason why there are none. If the builder is visible, it shows
 * each error at its condition, so the errors are not listed here.
 */
function Answer({ brand, answer, isDrawn }: AnswerProps) {
  const { rules: words } = useText();
  const number = useNumber();
  const { rule, problem, check, preview, errors } = answer;
  if (problem !== null) return <Alert color="yellow">{`${words.unfinished} ${problem}`}</Alert>;
  if (check.isLoadingError) return <Failed error={check.error} onRetry={() => check.refetch()} />;
  if (errors.length > 0)
    return (
      <Alert color="yellow" title={words.errors}>
        {isDrawn ? (
          <Text size="sm">{words.errorsBelow}</Text>
        ) : (
          errors.map(({ path, message }) => (
            <Text size="sm" key={`${path} ${message}`}>
              {path || '/'}: {message}
            </Text>
          ))
        )}
      </Alert>
    );
  const { data } = preview;
  return (
    <>
      <Card withBorder aria-live="polite">
        <Text size="lg">
          <RuleSentence rule={rule} english={check.data?.sentence ?? ''} />
        </Text>
        <Group mt="sm" gap="xl" className="figure" aria-busy={answer.isOld}>
          <Text>
            {words.selects}: <b>{data ? `${data.exact ? '' : '≈ '}${number(data.count)}` : '…'}</b>
          </Text>
          {data && (
            <Text c="dimmed">
              {words.protected}: {number(data.protected)}
            </Text>
          )}
          {data && !data.exact && (
            <Text c="dimmed">
              {words.estimated}
              {data.error !== null && ` (± ${number(data.error)})`}
            </Text>
          )}
        </Group>
        {data && <SomePlayers brand={brand} userIds={data.sample} count={data.count} opensTab />}
      </Card>
      {preview.isError && <Failed error={preview.error} onRetry={() => preview.refetch()} />}
    </>
  );
}
