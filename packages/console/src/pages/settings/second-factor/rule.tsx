import { Button, Card, Group, MultiSelect, Radio, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { brandsQuery } from '../../../api/queries.ts';
import { ownAccount } from '../../../text/own-account.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { useProof } from '../../../ui/proof.tsx';
import { isSameJson } from '../../../ui/same-json.ts';
import { Failed, Loading } from '../../../ui/states.tsx';

interface Rule {
  every_brand: boolean;
  brands: string[];
}
type Where = 'nowhere' | 'every' | 'some';

const whereOf = ({ every_brand, brands }: Rule): Where =>
  every_brand ? 'every' : brands.length > 0 ? 'some' : 'nowhere';

/** The brands at which a second factor is required. */
export function SecondFactorRule() {
  const rule = useQuery({
    queryKey: ['second-factor-rule'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/second-factor-rule')),
  });
  if (rule.isPending) return <Loading />;
  if (rule.isLoadingError) return <Failed error={rule.error} onRetry={() => rule.refetch()} />;
  return <RuleForm key={JSON.stringify(rule.data)} stored={rule.data} />;
}

function RuleForm({ stored }: { stored: Rule }) {
  const { admin: words } = useWords(ownAccount);
  const brands = useQuery(brandsQuery);
  const { prove, dialog } = useProof();
  const [where, setWhere] = useState(whereOf(stored));
  const [named, setNamed] = useState(stored.brands);
  const body = { every_brand: where === 'every', brands: where === 'some' ? named : [] };
  const save = useAct(() => prove(() => bodyOf(api.PUT('/api/console/v1/second-factor-rule', { body }))), {
    touches: [],
    done: words.saved,
  });
  const isChanged = !isSameJson(body, stored);
  return (
    <Card withBorder>
      <LeaveGuard isChanged={isChanged && !save.isSuccess} isSaving={save.isPending} />
      <Stack align="flex-start">
        <Title order={3} size="h4">
          {words.rule}
        </Title>
        <Text size="sm" c="dimmed" maw={720}>
          {words.ruleAbout}
        </Text>
        <Radio.Group value={where} onChange={(value) => setWhere(value as Where)} aria-label={words.rule}>
          <Group>
            <Radio value="nowhere" label={words.nowhere} />
            <Radio value="every" label={words.everyBrand} />
            <Radio value="some" label={words.someBrands} />
          </Group>
        </Radio.Group>
        {where === 'some' && (
          <MultiSelect
            label={words.brands}
            w={320}
            data={brands.data?.items.map(({ code, name }) => ({ value: code, label: name })) ?? []}
            value={named}
            onChange={setNamed}
          />
        )}
        <Button
          disabled={!isChanged || (where === 'some' && named.length === 0)}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {words.save}
        </Button>
      </Stack>
      {dialog}
    </Card>
  );
}
