import { NavLink } from '@mantine/core';
import { IconGift, IconMessage, IconPlugConnected, IconSettings, IconShieldCheck } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { places } from '../text/places.ts';
import { useWords } from '../text/text.tsx';
import { type Place, type Section, useOpenSections } from './places.ts';

const iconSize = 18;
const icons: Readonly<Record<Section, typeof IconGift>> = {
  messages: IconMessage,
  integration: IconPlugConnected,
  rewards: IconGift,
  compliance: IconShieldCheck,
  settings: IconSettings,
};

/** The lower part of the menu. Its sections open to show their pages. */
export function OperationsNav({ brand }: { brand: string }) {
  return useOpenSections().map(([section, pages]) => (
    <SectionLinks key={section} brand={brand} section={section} pages={pages} />
  ));
}

interface SectionLinksProps {
  brand: string;
  section: Section;
  pages: readonly Place[];
}

function SectionLinks({ brand, section, pages }: SectionLinksProps) {
  const words = useWords(places);
  const { pathname } = useLocation();
  const isHere = pathname.startsWith(`/${brand}/${section}/`);
  const [isOpen, setOpen] = useState(false);
  const isShown = isHere || isOpen;
  const Icon = icons[section];
  return (
    <NavLink
      component="button"
      type="button"
      label={words[section]}
      leftSection={<Icon size={iconSize} aria-hidden />}
      opened={isShown}
      // Without this, a touch on a section would close the menu on a phone.
      onClick={(event: React.MouseEvent) => event.stopPropagation()}
      onChange={setOpen}
      childrenOffset={28}
    >
      {/* The 35 links of closed sections were a fifth of the time until the first page was painted. The empty list keeps the chevron. */}
      {isShown ? pages.map((page) => <PlaceLink key={page} brand={brand} section={section} page={page} />) : []}
    </NavLink>
  );
}

interface PlaceLinkProps {
  brand: string;
  section: Section;
  page: Place;
}

function PlaceLink({ brand, section, page }: PlaceLinkProps) {
  const words = useWords(places);
  return (
    <Link
      to={`/${brand}/${section}/${page}` as '/'}
      style={{ textDecoration: 'none', color: 'inherit', display: 'block' }}
    >
      {({ isActive }) => <NavLink component="span" label={words.pages[page]} active={isActive} py={4} />}
    </Link>
  );
}
