import { Button, Group, NumberInput, Popover, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { useUndo } from '../../ui/undo.tsx';
import type { Draft } from './draft/edits.ts';

interface ControlsProps {
  brand: string;
  code: string;
  state: string;
  /** Percentage of the players who may enter. */
  share: number;
  /** The draft of a campaign that has only one version, which was never published. Deleting such a campaign can be undone. */
  onlyDraft: Draft | undefined;
}

type Action = 'pause' | 'resume' | 'stop';

/**
 * Pauses, resumes, ramps, stops and deletes a campaign. Actions that can be undone run immediately and offer an Undo.
 * The other actions ask for confirmation first.
 */
export function Controls({ brand, code, state, share, onlyDraft }: ControlsProps) {
  const words = useWords(campaignPage);
  const offerUndo = useUndo();
  const may = useMay()('campaign.manage');
  const params = { path: { brand, code } };
  const touches = [brand, 'campaign', code];
  const act = useAct(
    (action: Action) => api.POST(`/api/console/v1/brands/{brand}/campaigns/{code}/${action}`, { params }),
    { touches },
  );
  const ramp = useAct(
    (to: number) => api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/ramp', { params, body: { share: to } }),
    { touches },
  );
  const pause = () =>
    act.mutate('pause', { onSuccess: () => offerUndo(words.paused, () => act.mutateAsync('resume')) });
  const resume = () =>
    act.mutate('resume', { onSuccess: () => offerUndo(words.resumed, () => act.mutateAsync('pause')) });
  const setShare = (to: number) =>
    ramp.mutate(to, { onSuccess: () => offerUndo(words.ramped(String(to)), () => ramp.mutateAsync(share)) });
  if (!may) return null;
  // A failed campaign may still have messages and credits that wait.
  const isRunning = state === 'live' || state === 'paused' || state === 'failed';
  return (
    <Group gap="xs">
      <Ramp key={share} share={share} isBusy={ramp.isPending} set={setShare} />
      {state === 'live' && (
        <Button variant="light" loading={act.isPending} onClick={pause}>
          {words.pause}
        </Button>
      )}
      {state === 'paused' && (
        <Button variant="light" loading={act.isPending} onClick={resume}>
          {words.resume}
        </Button>
      )}
      <More brand={brand} code={code} onlyDraft={onlyDraft} isRunning={isRunning} stop={() => act.mutate('stop')} />
    </Group>
  );
}

const usualShares = ['1', '10', '50', '100'];

function Ramp({ share, isBusy, set }: { share: number; isBusy: boolean; set(share: number): void }) {
  const words = useWords(campaignPage);
  const [value, setValue] = useState<number | string>(share);
  const [isOpen, { toggle, close }] = useDisclosure();
  const apply = () => {
    set(Number(value));
    close();
  };
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} width={320} trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" loading={isBusy} onClick={toggle}>
          {words.share} {share} %
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <NumberInput
            label={words.ramp}
            description={words.rampHint}
            min={0}
            max={100}
            allowDecimal={false}
            suffix=" %"
            value={value}
            onChange={setValue}
          />
          <SegmentedControl
            aria-label={words.ramp}
            data={usualShares.map((one) => ({ value: one, label: `${one} %` }))}
            value={String(value)}
            onChange={(one) => setValue(Number(one))}
          />
          <Button disabled={value === '' || Number(value) === share} onClick={apply}>
            {words.set}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface MoreProps {
  brand: string;
  code: string;
  onlyDraft: Draft | undefined;
  isRunning: boolean;
  stop(): void;
}

/** The rare actions. Only deleting a draft can be undone. */
function More({ brand, code, onlyDraft, isRunning, stop }: MoreProps) {
  const words = useWords(campaignPage);
  const { common } = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const offerUndo = useUndo();
  const bringBack = async (body: Draft) => {
    await api.POST('/api/console/v1/brands/{brand}/campaigns', { params: { path: { brand } }, body });
    await queries.invalidateQueries({ queryKey: [brand, 'campaigns'] });
    await navigate({ to: '/$brand/campaigns/$code', params: { brand, code } });
  };
  const remove = useAct(
    () => api.DELETE('/api/console/v1/brands/{brand}/campaigns/{code}', { params: { path: { brand, code } } }),
    {
      touches: [brand, 'campaigns'],
      deletes: [brand, 'campaign', code],
      onDone: async () => {
        await navigate({ to: '/$brand/campaigns', params: { brand }, ignoreBlocker: true });
        queries.removeQueries({ queryKey: [brand, 'campaign', code], type: 'inactive' });
        if (onlyDraft !== undefined) offerUndo(common.removed(String(onlyDraft.name)), () => bringBack(onlyDraft));
      },
    },
  );
  return (
    <MoreMenu
      actions={[
        { label: words.stop, text: words.stopSure, isDisabled: !isRunning, onSure: stop },
        {
          label: words.remove,
          ...(onlyDraft === undefined && { text: words.removeSure }),
          isDisabled: isRunning,
          onSure: () => remove.mutate(),
        },
      ]}
    />
  );
}
