/**
 * All errors of the site API, by code. docs/errors.md lists the same errors (a test compares them). Codes are never
 * renamed, and numbers are never used again, because operators' front ends depend on them.
 *
 * The number consists of the status and two more digits. A program that reads only `ErrorCodeID` therefore knows the
 * status and the error.
 */
export interface SiteErrorKind {
  status: number;
  id: number;
  /** For the person who reads the answer. It refers to the call, not to internals. */
  message: string;
}

export const siteErrors = {
  malformed_json: { status: 400, id: 40001, message: 'The body is not valid JSON.' },
  invalid_request: { status: 400, id: 40002, message: 'A parameter or field has an invalid value.' },
  missing_session: { status: 401, id: 40101, message: 'Send the session id in the header authtoken.' },
  invalid_session: { status: 401, id: 40102, message: 'The session is not valid.' },
  session_ended: { status: 401, id: 40103, message: 'The session has ended.' },
  forbidden_channel: { status: 403, id: 40301, message: 'The channel does not belong to the player.' },
  function_off: { status: 403, id: 40302, message: 'The brand does not offer this function.' },
  unknown_path: { status: 404, id: 40401, message: 'This path does not exist. Paths are case-sensitive.' },
  unknown_brand: { status: 404, id: 40402, message: 'The brand does not exist.' },
  unknown_notification: { status: 404, id: 40403, message: 'The player does not have this notification.' },
  unknown_reward: { status: 404, id: 40404, message: 'The player does not have this reward to claim.' },
  unknown_device: { status: 404, id: 40405, message: 'The device does not exist. Subscribe it again.' },
  method_not_allowed: {
    status: 405,
    id: 40501,
    message: 'The path does not allow this method. The header Allow lists the allowed methods.',
  },
  request_timeout: { status: 408, id: 40801, message: 'The request did not arrive completely in time.' },
  conflict: { status: 409, id: 40901, message: 'The state has changed in the meantime. Read it again.' },
  reward_paused: {
    status: 409,
    id: 40902,
    message: 'The reward cannot be claimed at the moment. Retry the call later.',
  },
  reward_expired: { status: 410, id: 41001, message: 'The time to claim the reward has passed.' },
  reward_withdrawn: { status: 410, id: 41002, message: 'The reward was withdrawn.' },
  body_too_large: { status: 413, id: 41301, message: 'The body is too large.' },
  unsupported_content_type: { status: 415, id: 41501, message: 'Send JSON, or no content type.' },
  too_many_requests: {
    status: 429,
    id: 42901,
    message: 'Too many calls. Retry after the number of seconds in the header Retry-After.',
  },
  internal_error: { status: 500, id: 50001, message: 'Internal error. Retry the call later.' },
  unavailable: {
    status: 503,
    id: 50301,
    message: 'Temporarily unavailable. Retry after the number of seconds in the header Retry-After.',
  },
  operator_away: {
    status: 503,
    id: 50302,
    message:
      'The session cannot be checked at the moment. Retry after the number of seconds in the header Retry-After.',
  },
} as const satisfies Record<string, SiteErrorKind>;

export type SiteErrorCode = keyof typeof siteErrors;
