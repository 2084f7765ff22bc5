import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData } from '@mantine/spotlight';
import { IconKey, IconLanguage, IconLogout, IconMoon, IconPlus, IconSun, IconUserShield } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { palette } from '../text/palette.ts';
import { useLanguage, useWords } from '../text/text.tsx';
import { type Permission, useMay } from '../ui/may.tsx';
import { useSignOut } from './use-sign-out.ts';

const iconSize = 18;

/**
 * Returns the actions of the palette that do more than open a page. Actions that the caller has no permission for at
 * this brand are left out.
 */
export function usePaletteActions(brand: string): SpotlightActionData[] {
  const words = useWords(palette);
  const may = useMay();
  const navigate = useNavigate();
  const { language, change } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const signOut = useSignOut();
  const goTo = (path: string) => () => void navigate({ to: `/${brand}/${path}` as '/' });
  const isDark = scheme === 'dark';
  const actions: (SpotlightActionData & { needs?: Permission })[] = [
    {
      id: 'do new segment',
      label: words.newSegment,
      needs: 'segment.manage',
      onClick: goTo('new-segment'),
      leftSection: <IconPlus size={iconSize} />,
    },
    {
      id: 'do new campaign',
      label: words.newCampaign,
      needs: 'campaign.manage',
      onClick: goTo('new-campaign'),
      leftSection: <IconPlus size={iconSize} />,
    },
    {
      id: 'do new key',
      label: words.newKey,
      needs: 'key.manage',
      onClick: goTo('integration/keys'),
      leftSection: <IconKey size={iconSize} />,
    },
    {
      id: 'do account',
      label: words.newAccount,
      needs: 'account.manage',
      onClick: goTo('settings/accounts'),
      leftSection: <IconUserShield size={iconSize} />,
    },
    {
      id: 'do language',
      label: words.language,
      keywords: 'English Deutsch',
      onClick: () => change(language === 'en' ? 'de' : 'en'),
      leftSection: <IconLanguage size={iconSize} />,
    },
    {
      id: 'do theme',
      label: isDark ? words.light : words.dark,
      onClick: () => setColorScheme(isDark ? 'light' : 'dark'),
      leftSection: isDark ? <IconSun size={iconSize} /> : <IconMoon size={iconSize} />,
    },
    {
      id: 'do sign out',
      label: words.signOut,
      onClick: () => void signOut(),
      leftSection: <IconLogout size={iconSize} />,
    },
  ];
  return actions.flatMap(({ needs, ...action }) => (needs === undefined || may(needs) ? action : []));
}
