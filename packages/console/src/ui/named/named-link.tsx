import { type About, codeOf } from '../../api/named.ts';
import { To } from '../to.tsx';
import { useNamed } from './use-names.ts';

interface NamedLinkProps {
  about: About;
  /** The path of its page, after the brand's code. */
  to: string;
  /** Shown without a link if it does not exist, because its page would only say so. */
  missing: string;
}

/** A link to something with a name, which shows this name. */
export function NamedLink({ about, to, missing }: NamedLinkProps) {
  const named = useNamed(about);
  return named === null ? missing : <To to={to}>{named?.name ?? codeOf(about).code}</To>;
}
