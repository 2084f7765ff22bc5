import { columnsOf, type Formula, type Trait, traitCatalog } from '../traits/index.ts';

/*
 * The figures of a day: the traits that can be summed over players, with the names of these traits. So `casino_ggr` of a player and of a
 * brand's day use the same formula, and each money term has only one definition.
 */

/** A trait that can be computed over all players of a brand: a sum, or a ratio of sums. */
export type Figure = Trait & { readonly source: { readonly from: 'totals'; readonly formula: Formula } };

function addsUp(formula: Formula): boolean {
  return 'sum' in formula || ('ratio' in formula && addsUp(formula.ratio) && addsUp(formula.to));
}

/** Sessions are rows of a player, and have no roll-up. */
function isFigure(trait: Trait): trait is Figure {
  const { source } = trait;
  return source.from === 'totals' && addsUp(source.formula) && !familiesOf(source.formula).includes('session');
}

function familiesOf(formula: Formula): string[] {
  return columnsOf(formula).map((column) => column.slice(0, column.indexOf('.')));
}

export const figures: readonly Figure[] = traitCatalog.filter(isFigure);

/** Figures computed from only one family: those of one product. */
export function figuresOf(family: string): readonly Figure[] {
  return figures.filter(({ source }) => familiesOf(source.formula).every((own) => own === family));
}
