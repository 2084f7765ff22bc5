import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { emptyCampaign } from './draft/edits.ts';
import { recipes } from './recipes.ts';

/** A campaign that begins empty or from a recipe, as a draft, which its page changes and publishes. */
export function NewCampaign() {
  const brand = useBrand();
  const words = useWords(campaignEditor);
  const { common } = useText();
  const [recipe, setRecipe] = useState('');
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
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
      await navigate({ to: '/$brand/campaigns/$code', params: { brand, code } });
    },
  });
  const choose = (chosen: string | null) => {
    const from = recipes.find((one) => one.code === chosen);
    setRecipe(chosen ?? '');
    setName(String(from?.name ?? ''));
    setCode(String(from?.code ?? ''));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Page title={words.make} about={words.recipeHint}>
      <form onSubmit={submit}>
        <Stack maw={480}>
          <Select
            label={words.begin}
            allowDeselect={false}
            value={recipe}
            onChange={choose}
            data={[
              { value: '', label: words.empty },
              ...recipes.map((one) => ({ value: String(one.code), label: String(one.name) })),
            ]}
          />
          <TextInput
            label={common.name}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label={common.code}
            required
            value={code}
            pattern="[a-z0-9][a-z0-9_\-]{0,63}"
            title={words.codeHint}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Button type="submit" loading={make.isPending}>
            {words.create}
          </Button>
        </Stack>
      </form>
      {make.isError && <Failed error={make.error} />}
    </Page>
  );
}
