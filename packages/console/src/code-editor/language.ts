import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import type { Extension } from '@codemirror/state';
import { mjmlTags } from './mjml-tags.ts';

/** What an editor completes beyond the language itself. */
export interface KnownWords {
  /** Variables such as `player.first_name`, with their descriptions. */
  variables: readonly { name: string; title: string }[];
  /** Codes of blocks with their names. */
  blocks: readonly { code: string; name: string }[];
}

/** Returns the language of an editor. Texts are Liquid. Markup is Liquid with HTML and MJML. */
export function languageOf(language: 'liquid' | 'markup' | 'json', words: () => KnownWords | undefined): Extension {
  if (language === 'json') return json();
  const base = html({ extraTags: mjmlTags, matchClosingTags: false });
  const support = language === 'markup' ? liquid({ base }) : liquid();
  return [
    support,
    support.language.data.of({ autocomplete: (context: CompletionContext) => variableAt(context, words()) }),
    support.language.data.of({ autocomplete: (context: CompletionContext) => blockAt(context, words()) }),
  ];
}

/** Completes the name of a variable, for example after `{{ player.fir`. */
function variableAt(context: CompletionContext, words: KnownWords | undefined): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const [, output] = /(?:\{\{|\{%)-?([^{}|]*)$/.exec(before) ?? [];
  if (output === undefined || words === undefined) return null;
  const [typed = ''] = /[\w.]*$/.exec(output) ?? [];
  if (typed === '' && !context.explicit && !/\{\{-?\s*$/.test(before)) return null;
  const options = words.variables.map(
    ({ name, title }): Completion => ({ label: name, detail: title, type: 'variable' }),
  );
  return { from: context.pos - typed.length, options, validFor: /^[\w.]*$/ };
}

/** Completes the code of a block, for example after `{% render 'si`. */
function blockAt(context: CompletionContext, words: KnownWords | undefined): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const [, typed] = /\{%-?\s*(?:render|include|layout)\s+['"]([\w-]*)$/.exec(before) ?? [];
  if (typed === undefined || words === undefined) return null;
  const options = words.blocks.map(({ code, name }): Completion => ({ label: code, detail: name, type: 'class' }));
  return { from: context.pos - typed.length, options, validFor: /^[\w-]*$/ };
}
