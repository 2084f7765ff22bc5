import { ApiProblem, whyUnanswered } from '../../../api/client.ts';
import type { Picture } from './queries.ts';

/** Types that the platform accepts. The platform also checks the content of each file. */
export const taken = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Uploads an image. @throws {ApiProblem} with the reason of a refusal, or {Unanswered} */
export async function uploadPicture(brand: string, content: Blob, name: string): Promise<Picture> {
  const answer = await fetch(
    `/api/console/v1/brands/${encodeURIComponent(brand)}/media?name=${encodeURIComponent(name)}`,
    {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        'x-croupier-console': '1',
        'content-type': taken.includes(content.type) ? content.type : 'application/octet-stream',
      },
      body: content,
    },
  ).catch((error: unknown) => {
    throw whyUnanswered(error);
  });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiProblem(answer.status, body);
  return body as Picture;
}
