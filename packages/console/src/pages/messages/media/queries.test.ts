import { expect, test } from 'vitest';
import { withOwnPictures } from './queries.ts';

test('library images use the host of the console; other images and links stay unchanged', () => {
  const file = 'abcdefghijklmnopqrstuv';
  const own = `<img src="https://crm.example/media/malta/${file}.png"> url(http://localhost:8080/media/malta/${file}.gif)`;
  const others = `<a href="https://crm.example/media/malta"> <img src="https://cdn.example/media/x/short.png">`;
  expect(withOwnPictures(own + others)).toBe(
    `<img src="/media/malta/${file}.png"> url(/media/malta/${file}.gif)${others}`,
  );
});
