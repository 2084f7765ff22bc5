import type { Brand } from '../../brands/index.ts';
import { type BlockTexts, ReadTemplate, type TemplateRow } from '../../channels/index.ts';
import { momentText } from '../routing/fields.ts';

export function presentSummary(row: TemplateRow) {
  const { code, name, channel, purpose, version, content, changed_by } = row;
  return {
    code,
    name,
    channel,
    purpose,
    version,
    languages: Object.keys(content),
    created_at: momentText(row.created_at),
    changed_at: momentText(row.changed_at),
    changed_by,
  };
}

export function presentTemplate(row: TemplateRow, brand: Brand, blocks: BlockTexts, used_by: string[]) {
  const { variables, needed } = new ReadTemplate(row, brand, blocks);
  return { ...presentSummary(row), content: row.content, variables, needed, used_by };
}
