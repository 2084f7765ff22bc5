import { detailTitle, traitTitle } from './field-names.ts';
import { useLanguage } from './text.tsx';

const plain = (name: string) => name.replaceAll('_', ' ');

export function useTraitName(): (name: string) => string {
  const { language } = useLanguage();
  return (name) => traitTitle(name, language) ?? plain(name);
}

export function useFieldName(): (name: string) => string {
  const { language } = useLanguage();
  return (name) => detailTitle(name, language) ?? plain(name);
}
