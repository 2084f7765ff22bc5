import { useDisclosure } from '@mantine/hooks';
import { api } from '../../api/client.ts';
import type { SegmentShown } from '../../api/queries.ts';
import { useText } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { RenameSegment } from './rename.tsx';
import { useDeleteSegment } from './use-delete.ts';

interface SegmentMenuProps {
  brand: string;
  code: string;
  segment: SegmentShown;
}

/** The rare actions of a segment: rename, recompute, freeze and delete. */
export function SegmentMenu({ brand, code, segment }: SegmentMenuProps) {
  const { segments: words } = useText();
  const { name, state, rule, version, draft, progress, revision, include_protected, used_by, campaigns } = segment;
  const params = { path: { brand, code } };
  const touches = [brand, 'segment', code];
  const recompute = useAct(() => api.POST('/api/console/v1/brands/{brand}/segments/{code}/recompute', { params }), {
    touches,
  });
  const freeze = useAct(
    (at: string) =>
      api.POST('/api/console/v1/brands/{brand}/segments/{code}/freeze', {
        params: { ...params, query: { revision: at } },
      }),
    { touches },
  );
  const remove = useDeleteSegment(brand, code);
  const [isRenaming, renaming] = useDisclosure();
  // A version that replaces the failed one makes a recomputation of the failed one useless, and the platform refuses it.
  const mayRecompute = state === 'live' || (state === 'failed' && progress === null);
  // Undo is offered only for a draft of a rule. A draft of a list cannot be created again, because the list may have contained players
  // whom the platform did not know.
  const onlyRule = state === 'draft' && version === draft?.version ? draft.rule : null;
  return (
    <>
      <MoreMenu
        actions={[
          { label: words.rename, isDisabled: false, onSure: renaming.open },
          { label: words.recompute, isDisabled: !mayRecompute, onSure: () => recompute.mutate() },
          {
            label: words.freeze,
            text: draft === null ? words.freezeSure : words.freezeReplaces(draft.version),
            isDisabled: state !== 'live' || rule === null,
            onSure: () => freeze.mutate(revision),
          },
          {
            label: words.remove,
            ...(onlyRule === null && { text: words.removeSure }),
            isDisabled: used_by.length + campaigns.length > 0,
            onSure: () => remove(onlyRule === null ? undefined : { name, rule: onlyRule, include_protected }),
          },
        ]}
      />
      <RenameSegment {...{ brand, code, name, revision }} isOpen={isRenaming} onClose={renaming.close} />
    </>
  );
}
