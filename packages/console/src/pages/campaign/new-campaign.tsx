import { Button, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useText, useWords } from '../../text/text.tsx';
import { codeOf } from '../../ui/code-of.ts';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { type Draft, emptyCampaign, kindIn, readList, readText } from './draft/edits.ts';
import { recipes } from './recipes.ts';
import { KindIcon } from './steps/kind-icon.tsx';
import { entrySummary, useSaying } from './steps/use-summary.ts';

/** Creates a campaign as a draft, empty or from a recipe. The page of the campaign edits and publishes it. */
export function NewCampaign() {
  const brand = useBrand();
  const words = useWords(campaignEditor);
  const { common } = useText();
  const [recipe, setRecipe] = useState('');
  const [name, setName] = useState('');
  // Null until the user types a code or chooses a recipe. Until then, the code follows the name.
  const [ownCode, setOwnCode] = useState<string | null>(null);
  const code = ownCode ?? codeOf(name);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () => {
      const from = recipes.find((one) => one.code === recipe) ?? emptyCampaign(code, name);
      const body = { ...from, code, name };
      return api.POST('/api/console/v1/brands/{brand}/campaigns', { params: { path: { brand } }, body });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [brand, 'campaigns'] });
      await navigate({ to: '/$brand/campaigns/$code', params: { brand, code }, ignoreBlocker: true });
    },
  });
  const choose = (chosen: string) => {
    const from = recipes.find((one) => one.code === chosen);
    setRecipe(chosen);
    setName(readText(from, ['name']));
    setOwnCode(from === undefined ? null : readText(from, ['code']));
  };
  // The name of the chosen recipe was not typed by the user, so it is not an unsaved change.
  const chosenName = readText(
    recipes.find((one) => one.code === recipe),
    ['name'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Page title={words.make} about={words.recipeHint}>
      <LeaveGuard isChanged={name !== chosenName || (recipe === '' && ownCode !== null)} isSaving={make.isPending} />
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group label={words.begin} value={recipe} onChange={choose}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" mt="xs">
              <Choice code="" name={words.empty} />
              {recipes.map((one) => (
                <Choice key={readText(one, ['code'])} code={readText(one, ['code'])} name={readText(one, ['name'])}>
                  <Shape of={one} />
                </Choice>
              ))}
            </SimpleGrid>
          </Radio.Group>
          <Group align="flex-end">
            <TextInput
              label={common.name}
              name="name"
              required
              w={320}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <TextInput
              label={common.code}
              name="code"
              required
              w={240}
              value={code}
              pattern="[a-z0-9][a-z0-9_\-]{0,63}"
              title={words.codeHint}
              onChange={({ currentTarget }) => setOwnCode(currentTarget.value)}
            />
            <Button type="submit" loading={make.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
      {make.isError && <Failed error={make.error} />}
    </Page>
  );
}

interface ChoiceProps {
  code: string;
  name: string;
  children?: React.ReactNode;
}

function Choice({ code, name, children }: ChoiceProps) {
  return (
    <Radio.Card value={code} p="sm" className="recipe">
      <Group wrap="nowrap" align="flex-start">
        <Radio.Indicator />
        <div>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {children}
        </div>
      </Group>
    </Radio.Card>
  );
}

/** The entry of a recipe, and the kinds of its steps. */
function Shape({ of: recipe }: { of: Draft }) {
  const words = useWords(campaignEditor);
  const saying = useSaying(recipe.entry);
  const kinds = readList(recipe, ['steps']).map(kindIn);
  return (
    <>
      <Text size="xs" c="dimmed">
        {entrySummary(recipe.entry, saying)}
      </Text>
      <Group gap="xs" mt={4}>
        {kinds.map(
          (kind, at) =>
            kind !== undefined && (
              // biome-ignore lint/suspicious/noArrayIndexKey: a recipe does not change
              <Text key={at} component="span" size="xs" className="recipe-step">
                <KindIcon kind={kind} />
                {words.kinds[kind]}
              </Text>
            ),
        )}
      </Group>
    </>
  );
}
