import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBrand } from './page.tsx';

interface ToProps {
  /** The path after the brand's code. */
  to: string;
  /** The query string. */
  search?: Record<string, string>;
  /**
   * Set this if the link is a sentence or part of one. The link then has the color of text, and a line below it. Many
   * colored sentences are hard to read, and color alone does not distinguish a link from the text around it.
   */
  isSentence?: boolean;
  /** The name of the link for screen readers, if its content alone does not say what it opens. It contains the content. */
  label?: string;
  children: ReactNode;
}

/** A link to another page of the brand. */
export function To({ to, search, isSentence = false, label, children }: ToProps) {
  const brand = useBrand();
  return (
    <Anchor
      component={Link}
      to={`/${brand}/${to}`}
      {...(search !== undefined && { search: search as never })}
      size="sm"
      aria-label={label}
      {...(isSentence && { className: 'sentence-link', underline: 'always' as const })}
    >
      {children}
    </Anchor>
  );
}
