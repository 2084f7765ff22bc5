import type { Answer, Call } from '../calls/call.ts';
import { refused } from './answers.ts';

const refusalsBelowBrand: readonly Answer[] = [refused('There is no such brand.', 'unknown_brand')];

/** Every method except GET takes a body, also where the call needs none. */
const refusalsOfBodies: readonly Answer[] = [
  refused('The body is not valid JSON.', 'malformed_json'),
  refused('The body is larger than the call takes.', 'body_too_large'),
  refused('The content type is not JSON.', 'unsupported_content_type'),
];

/**
 * Adds the answers that follow from where a call is and how it is sent. Answers of the call itself keep their place and words; a code that is
 * added to one of their statuses becomes a further sample.
 */
export function withCommonAnswers(call: Call): Call {
  const common = [
    ...(call.server === undefined ? refusalsBelowBrand : []),
    ...(call.method === 'GET' ? [] : refusalsOfBodies),
  ];
  const own = call.answers.map((answer) => {
    const same = common.find(({ status }) => status === answer.status);
    return same === undefined ? answer : { ...answer, samples: { ...same.samples, ...answer.samples } };
  });
  const further = common.filter(({ status }) => !call.answers.some((answer) => answer.status === status));
  return { ...call, answers: [...own, ...further] };
}
