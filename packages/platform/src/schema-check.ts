import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import Value from 'typebox/value';

/*
 * TypeBox with the server's limit of errors. Every module that validates imports TypeBox's compiler and values from here, so
 * that the limit is set first (architecture.test.ts).
 *
 * TypeBox stops after 8 errors by default, and one wrong field often has several. A person who corrects a configuration sees
 * all errors at once instead. The limit also bounds the cost of a hostile body: the refusal of one with 200,000 wrong fields
 * takes about as long as with 8 errors, because the fields after the limit are skipped.
 */
Settings.Set({ maxErrors: 1_000 });

export { Compile, type Validator, Value };
