import Type from 'typebox';
import type { Call } from '../calls/call.ts';
import { answered, refused, sessionRefusals } from './answers.ts';
import * as records from './records.ts';

/** Where things are, and beginning and end of a session (docs/reference/decisions.md 8). */
export const sessionCalls: readonly Call[] = [
  {
    name: 'getConfig',
    method: 'GET',
    path: '/api/v1/config/{brand}',
    server: '/',
    tag: 'Start',
    summary: 'What a self-built front end needs to know',
    description: 'Without the envelope; open to pages of every origin.',
    secured: false,
    parameters: [
      {
        in: 'path',
        name: 'brand',
        required: true,
        description: 'Code of the brand (window.crmbrand).',
        schema: Type.String(),
        example: 'demo',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The addresses.',
        schema: records.siteConfig,
        schemaName: 'SiteConfig',
        samples: {
          demo: {
            crmUrl: 'https://crm.example.com/site/demo',
            fusionUrl: 'https://crm.example.com/site/demo',
            prismaUrl: 'https://crm.example.com/site/demo',
            pusherKey: 'demo',
            pusherRegion: 'eu',
            wsHost: 'crm.example.com',
            wsPort: 443,
            forceTLS: true,
          },
        },
      },
      refused('There is no such brand.', 'unknown_brand'),
    ],
  },
  {
    name: 'loginAuthToken',
    method: 'POST',
    path: '/Platform/LoginAuthToken',
    tag: 'Start',
    summary: 'Exchange the session id for a token',
    description:
      'Without a body. The token is accepted wherever a session id is, for an hour; asked for with a token, the answer holds that same one. It ends with the session: by a logout at the operator or on the site, or an exclusion.',
    answers: [
      answered(
        'LoginAnswer',
        records.loginResult,
        {
          Authentication: { IsAuthenticated: true, AuthToken: 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjo1MX0.c2lnbmF0dXJl' },
          User: { UserId: 51, BrandId: 1, IsTestUser: false },
        },
        'The session is valid.',
      ),
      ...sessionRefusals,
    ],
  },
  {
    name: 'logout',
    method: 'POST',
    path: '/Crm/Logout',
    tag: 'Start',
    summary: 'End the session on this site',
    description:
      'Tokens of this session end at once, and its sockets are closed. Whether the session id itself goes on is for the operator to say, who is asked again when it comes.',
    answers: [answered('LogoutAnswer', Type.Boolean(), true, 'It has ended.'), ...sessionRefusals],
  },
];
