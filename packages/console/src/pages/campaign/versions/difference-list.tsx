import { Badge, Group, Stack, Text } from '@mantine/core';
import type { campaignEditor } from '../../../text/campaign-editor.ts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { LineDifference } from '../../../ui/line-difference-view.tsx';
import { kindIn } from '../draft/edits.ts';
import { KindIcon } from '../steps/kind-icon.tsx';
import { entrySummary, summaryOf, useSaying } from '../steps/use-summary.ts';
import { differenceOf, type PartDifference } from './difference.ts';

const colors = { added: 'teal', removed: 'red', changed: 'blue', moved: 'grape' } as const;

/** The differences between two documents, step by step. */
export function DifferenceList({ before, after }: { before: unknown; after: unknown }) {
  const words = useWords(campaignPage);
  const differences = differenceOf(before, after);
  if (differences.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.same}
      </Text>
    );
  return (
    <Stack gap="xs">
      {differences.map((one) => (
        <OneDifference key={`${one.part} ${one.step}`} of={one} />
      ))}
    </Stack>
  );
}

function OneDifference({ of }: { of: PartDifference }) {
  const words = useWords(campaignPage);
  const { step, part, how, before, after } = of;
  const { words: editor, ...saying } = useSaying(before, after);
  const kind = kindIn(after ?? before);
  const say = (value: unknown) => {
    if (value === undefined || how === 'moved') return '';
    if (step !== undefined) return summaryOf(value, { words: editor, ...saying });
    if (part === 'entry' || part === 'goal') return entrySummary(value, { words: editor, ...saying });
    return typeof value === 'object' ? '' : String(value);
  };
  const [was, is] = [say(before), say(after)];
  return (
    <div>
      <Group gap="xs">
        <Badge size="sm" variant="light" color={colors[how]} tt="none" className="difference-badge">
          {words.changes[how]}
        </Badge>
        {step !== undefined && kind !== undefined && how !== 'moved' && <KindIcon kind={kind} />}
        <Text size="sm" fw={600}>
          {step ?? partName(editor, part ?? '')}
        </Text>
        <Text size="sm">
          {was !== '' && was !== is && <s>{was}</s>} {is}
        </Text>
      </Group>
      {how === 'changed' && <LineDifference summary={words.inJson} former={written(before)} latter={written(after)} />}
    </div>
  );
}

const written = (value: unknown) => JSON.stringify(value, null, 2);

function partName(words: (typeof campaignEditor)['en'], part: string): string {
  const names: Readonly<Record<string, string>> = {
    name: words.name,
    entry: words.parts.entry,
    audience: words.parts.audience,
    reentry: words.reentry,
    purpose: words.purpose,
    priority: words.priority,
    products: words.products,
    goal: words.goal,
    exit_when: words.exit,
    halt: words.halt,
  };
  return names[part] ?? part;
}
