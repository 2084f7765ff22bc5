import { Checkbox } from '@mantine/core';
import { useText } from '../../text/text.tsx';
import type { useEdited } from '../../ui/edited.ts';
import { useMay } from '../../ui/may.tsx';

interface IncludeProtectedProps {
  /** `true` or `false`. The page of the segment keeps the user's change. */
  edited: ReturnType<typeof useEdited<string>>;
}

/** Chooses whether excluded and blocked players may be members. Others can read the choice. */
export function IncludeProtected({ edited }: IncludeProtectedProps) {
  const { segments: words } = useText();
  const mayManage = useMay()('segment.manage');
  return (
    <Checkbox
      label={words.includeProtected}
      description={words.includeProtectedAbout}
      disabled={!mayManage}
      checked={edited.content === 'true'}
      onChange={({ currentTarget }) => edited.change(String(currentTarget.checked))}
    />
  );
}
