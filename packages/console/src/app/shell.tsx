import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Kbd,
  Menu,
  NavLink,
  Select,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDidUpdate, useDisclosure } from '@mantine/hooks';
import {
  IconActivity,
  IconBook,
  IconBroadcast,
  IconCheck,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconRoute,
  IconSearch,
  IconSun,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followChanges } from '../api/live.ts';
import { brandsQuery, sessionQuery } from '../api/queries.ts';
import { lists } from '../text/lists.ts';
import { places } from '../text/places.ts';
import { type Language, useLanguage, useText, useWords } from '../text/text.tsx';
import { timeZone } from '../ui/formats.ts';
import { Page } from '../ui/page.tsx';
import { usePlaceTitles } from '../ui/place-titles.ts';
import { Forbidden } from '../ui/states.tsx';
import { densities, useDensity } from '../ui/table/density.tsx';
import { CommandPalette, openPalette } from './command-palette.tsx';
import { OperationsNav } from './operations-nav.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { useMissingPermission } from './places.ts';
import { lastBrand } from './start.tsx';
import { useSignOut } from './use-sign-out.ts';

const iconSize = 18;
const product = 'Croupier';

/** The frame of every page of a brand. It shows the name of the brand, the menu, and the signed-in account. */
export function Shell() {
  const { brand } = useParams({ from: '/$brand' });
  const text = useText();
  const [isOpen, { toggle, close }] = useDisclosure();
  const queries = useQueryClient();
  useTabTitle(brand);
  useEffect(() => localStorage.setItem(lastBrand, brand), [brand]);
  useEffect(() => followChanges(brand, queries), [brand, queries]);
  useStayingMenu();
  const isProduction = useQuery(brandsQuery).data?.items.some(({ production }) => production) ?? false;
  const { language } = useLanguage();
  // Some texts come from the platform, so they are read again in the new language.
  useDidUpdate(() => void queries.invalidateQueries(), [language]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <a className="skip" href="#page">
        {text.nav.skip}
      </a>
      <AppShell.Header className={isProduction ? 'production' : undefined}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Title order={1} size="h4" className="product">
              {product}
            </Title>
            <Group gap={0} className="brand-place">
              <BrandChoice brand={brand} />
              {isProduction && <span className="production-mark">{text.nav.production}</span>}
            </Group>
          </Group>
          <Search />
          <Account brand={brand} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" onClick={close} style={{ overflowY: 'auto' }}>
        <Pages brand={brand} />
      </AppShell.Navbar>
      <AppShell.Main id="page">
        <OutdatedNotice />
        <OpenPage />
      </AppShell.Main>
      <CommandPalette brand={brand} />
    </AppShell>
  );
}

/**
 * Opening a page never moves the menu.
 *
 * When a page is shown, the router sets each element that can scroll to the position that it had when the previous page was left. If
 * the file of the page loads slowly, and the user scrolls the menu meanwhile, the menu would jump back, and a click would miss its
 * link. The router records the elements that scroll in a listener on the document. So a listener on the window stops the events of the
 * menu before they reach the document.
 */
function useStayingMenu(): void {
  useEffect(() => {
    const keepFromRouter = (event: Event) => {
      if (event.target instanceof Element && event.target.matches('nav')) event.stopPropagation();
    };
    window.addEventListener('scroll', keepFromRouter, { capture: true });
    return () => window.removeEventListener('scroll', keepFromRouter, { capture: true });
  }, []);
}

/** The page of the address. A page that the caller may not open says which permission it requires, and loads nothing. */
function OpenPage() {
  const missing = useMissingPermission();
  const [title = ''] = usePlaceTitles();
  if (missing === undefined) return <Outlet />;
  return (
    <Page key={missing} title={title} isNaming={false}>
      <Forbidden permission={missing} />
    </Page>
  );
}

/**
 * Names the page in the browser's tab, history and bookmarks. The title contains no personal data, just like the
 * addresses.
 */
function useTabTitle(brand: string): void {
  const titles = usePlaceTitles();
  const name = useQuery(brandsQuery).data?.items.find(({ code }) => code === brand)?.name ?? brand;
  const title = [...titles, name, product].join(' – ');
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = product;
    };
  }, [title]);
}

function BrandChoice({ brand }: { brand: string }) {
  const text = useText();
  const navigate = useNavigate();
  const brands = useQuery(brandsQuery);
  const data = brands.data?.items.map(({ code, name }) => ({ value: code, label: name })) ?? [];
  return (
    <Select
      aria-label={text.nav.brand}
      size="xs"
      w={{ base: 130, sm: 160, lg: 240 }}
      classNames={{ input: 'brand-choice' }}
      title={data.find(({ value }) => value === brand)?.label}
      data={data}
      value={brand}
      allowDeselect={false}
      onChange={(code) => code !== null && navigate({ to: '/$brand/now', params: { brand: code } })}
    />
  );
}

function Search() {
  const text = useText();
  return (
    <UnstyledButton onClick={openPalette} className="search">
      <Group gap="xs" wrap="nowrap">
        <IconSearch size={iconSize} aria-hidden />
        <Text size="sm" c="dimmed" className="search-text">
          {text.nav.search}
        </Text>
        <Kbd size="xs" ml="auto" visibleFrom="sm" aria-hidden>
          Ctrl K
        </Kbd>
      </Group>
    </UnstyledButton>
  );
}

function Pages({ brand }: { brand: string }) {
  const { nav } = useText();
  const params = { brand };
  return (
    <>
      <PageLink to="/$brand/now" params={params} label={nav.now} icon={<IconActivity size={iconSize} />} />
      <PageLink to="/$brand/live" params={params} label={nav.live} icon={<IconBroadcast size={iconSize} />} />
      <PageLink to="/$brand/players" params={params} label={nav.players} icon={<IconUsers size={iconSize} />} />
      <PageLink to="/$brand/segments" params={params} label={nav.segments} icon={<IconUsersGroup size={iconSize} />} />
      <PageLink to="/$brand/campaigns" params={params} label={nav.campaigns} icon={<IconRoute size={iconSize} />} />
      <OperationsNav brand={brand} />
      <NavLink href="/docs" label={nav.docs} leftSection={<IconBook size={iconSize} aria-hidden />} />
    </>
  );
}

interface PageLinkProps {
  to: '/$brand/now' | '/$brand/live' | '/$brand/players' | '/$brand/segments' | '/$brand/campaigns';
  params: { brand: string };
  label: string;
  icon: React.ReactNode;
}

function PageLink({ to, params, label, icon }: PageLinkProps) {
  return (
    <Link to={to} params={params} style={{ textDecoration: 'none', color: 'inherit' }}>
      {({ isActive }) => <NavLink component="span" label={label} leftSection={icon} active={isActive} />}
    </Link>
  );
}

function Account({ brand }: { brand: string }) {
  const { language, text, change } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const session = useQuery(sessionQuery);
  const signOut = useSignOut();
  const listWords = useWords(lists);
  const placeWords = useWords(places);
  const { density, change: changeDensity } = useDensity();
  const other: Language = language === 'en' ? 'de' : 'en';
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={text.nav.language}>
        <ActionIcon variant="subtle" aria-label={text.nav.language} onClick={() => change(other)}>
          <IconLanguage size={iconSize} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={text.nav.theme}>
        <ActionIcon
          variant="subtle"
          aria-label={text.nav.theme}
          onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
        >
          {scheme === 'dark' ? <IconSun size={iconSize} /> : <IconMoon size={iconSize} />}
        </ActionIcon>
      </Tooltip>
      <Menu>
        <Menu.Target>
          <UnstyledButton aria-label={session.data?.actor ?? text.common.loading}>
            <Text size="sm" truncate maw={{ sm: 180, lg: 320 }} visibleFrom="sm" title={session.data?.actor}>
              {session.data?.actor}
            </Text>
            <IconUserCircle size={22} aria-hidden className="phone-only" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label hiddenFrom="sm">{session.data?.actor}</Menu.Label>
          <Menu.Label>{listWords.density}</Menu.Label>
          {densities.map((each) => (
            <Menu.Item
              key={each}
              role="menuitemradio"
              aria-checked={each === density}
              leftSection={
                <IconCheck size={iconSize} style={{ visibility: each === density ? 'visible' : 'hidden' }} />
              }
              onClick={() => changeDensity(each)}
            >
              {listWords.densities[each]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{text.nav.zone(timeZone())}</Menu.Label>
          <Menu.Item
            leftSection={<IconUserCircle size={iconSize} />}
            component={Link}
            to={`/${brand}/settings/profile`}
          >
            {placeWords.pages.profile}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={iconSize} />} onClick={() => void signOut()}>
            {text.nav.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
