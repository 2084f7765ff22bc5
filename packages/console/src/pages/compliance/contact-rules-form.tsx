import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { changedValues } from '../../settings-form/index.ts';
import { compliance } from '../../text/compliance.ts';
import { useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { useMay } from '../../ui/may.tsx';
import { Approval } from './contact-rules/approval.tsx';
import { ControlGroup } from './contact-rules/control-group.tsx';
import { FrequencyCaps } from './contact-rules/frequency-caps.tsx';
import { ProductConsents } from './contact-rules/product-consents.tsx';
import { QuietHours } from './contact-rules/quiet-hours.tsx';
import { type Changes, changesOf, type Draft, type Rules } from './contact-rules/rules.ts';

/**
 * The form of the contact rules. It saves only the groups that the user changed. So two people, or two tabs, who change different
 * groups keep each other's changes. A group that the user did not change is shown as it is stored.
 */
export function ContactRulesForm({ brand, rules }: { brand: string; rules: Rules }) {
  const { rules: words } = useWords(compliance);
  const may = useMay()('channel.manage');
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({});
  const shown = { ...rules, ...draft };
  const changed = changedValues({ ...rules }, { ...changesOf(draft) }) as Changes;
  const isChanged = Object.keys(changed).length > 0;
  const change = (part: Draft) => setDraft({ ...draft, ...part });
  const save = useAct(
    (sent: Changes) =>
      bodyOf(api.PUT('/api/console/v1/brands/{brand}/contact-rules', { params: { path: { brand } }, body: sent })),
    {
      touches: [brand, 'contact-rules'],
      done: words.saved,
      onDone: (stored) => queries.setQueryData([brand, 'contact-rules'], stored),
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanged) return;
        // What the user typed while the rules were saved stays.
        save.mutate(changed, {
          onSuccess: (_, sent) => setDraft((now) => changedValues({ ...sent }, { ...changesOf(now) }) as Draft),
        });
      }}
    >
      <LeaveGuard isChanged={may && isChanged} isSaving={save.isPending} />
      <Stack>
        <QuietHours hours={shown.quiet_hours} onChange={(quiet_hours) => change({ quiet_hours })} />
        <FrequencyCaps caps={shown.frequency_caps} onChange={(frequency_caps) => change({ frequency_caps })} />
        <ControlGroup holdout={shown.holdout} onChange={(holdout) => change({ holdout })} />
        <Approval approval={shown.campaign_approval} onChange={(campaign_approval) => change({ campaign_approval })} />
        <ProductConsents consents={rules.product_consents} />
        <Group>
          <Button type="submit" disabled={!may || !isChanged} loading={save.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
