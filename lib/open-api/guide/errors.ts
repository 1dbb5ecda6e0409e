import type { ErrorCode } from '../../kernel/errors/errors.ts'

/** What a client does about each error, in the order of the statuses. */
const whatToDo: Readonly<Record<ErrorCode, readonly [status: number, text: string]>> = {
  invalid_request: [400, 'Fix the fields in `errors`, then send the request again.'],
  password_rejected: [400, 'Show the messages in `errors`, and let the user choose another password.'],
  invalid_token: [
    400,
    'The token from an email is unknown, used or expired. Let the user request a new one.',
  ],
  not_authenticated: [401, 'The credential is missing or no longer valid. Let the user sign in again.'],
  login_failed: [401, 'The username or the password is wrong. Let the user try again.'],
  permission_denied: [403, 'The caller may not do this. `detail` names what is missing.'],
  login_incomplete: [403, 'The password is right, but more is needed. `reason` says what.'],
  not_found: [404, 'The object does not exist, or the caller may not see it.'],
  method_not_allowed: [405, 'Use a method in the `Allow` header.'],
  not_acceptable: [406, 'Accept the media type of the response, usually `application/json`.'],
  conflict: [409, 'A name is taken, or the object changed. Read it again, then decide.'],
  payload_too_large: [413, 'Send a smaller body.'],
  unsupported_media_type: [415, 'Send the body as `application/json`.'],
  too_many_requests: [429, 'Wait for the seconds in the `Retry-After` header, then try again.'],
  internal_error: [500, 'An error of the service. Report the `request_id` to its operators.'],
  upstream_failed: [
    502,
    'Another system did not respond, such as for emails or SAML metadata. Try again later.',
  ],
  temporarily_unavailable: [
    503,
    'The service is busy, and nothing was changed, unless the reason is `partly_changed` or `outcome_unknown`. Wait for the seconds in the `Retry-After` header, then try again. Without this header, read first what was changed.',
  ],
}

const rows = Object.entries(whatToDo)
  .map(([code, [status, text]]) => `| ${status} | \`${code}\` | ${text} |`)
  .join('\n')

/** The form of errors and how clients react to them. */
export const errors = `## Errors

An error is a problem body of RFC 9457 with the type \`application/problem+json\`:

\`\`\`json
{
  "type": "urn:latchkey:problem:invalid_request",
  "title": "Invalid request",
  "status": 400,
  "detail": "Fix the fields listed in \`errors\` and resend the request.",
  "code": "invalid_request",
  "request_id": "b5e2c1de-8f27-4c5e-9a56-0f1c6d7f3a10",
  "errors": [{ "field": "email", "message": "must be one email address such as name@example.com" }]
}
\`\`\`

- Branch on \`code\`, and on \`reason\` if there is one. Both are stable. An operation lists its own.
- Show or log \`title\` and \`detail\`. Do not branch on them: the texts can change.
- \`errors\` lists all fields that are wrong, not only the first. \`field\` is a path such as \`bundles.0.path\`.
- \`request_id\` finds the request in the log of the service.

| status | code | what to do |
| --- | --- | --- |
${rows}

Objects that the caller may not see get a 404 like objects that do not exist. Answers about accounts are the same whether
the account exists or not.

### Rate limits

The service limits what attackers try often: sign-ins, codes, lookups of secrets, and emails. Above a limit, the response is a
429 with the header \`Retry-After\`, in seconds. Wait that long, then send the same request again. Operations name their
limits with the default values. A service can have others.

A 429 with the reason \`record_busy\` says that many requests change the same object at once, such as a hundred parallel sign-ins
to one account. Any operation that writes data can return it. Nothing was changed.

### A busy service

Any operation that reads or writes data can return a 503 with the code \`temporarily_unavailable\` and the header \`Retry-After\`.
The service then has more requests than its table serves. Nothing was changed, so send the same request again after that time.

### Responses of the gateway

Some requests never reach the service. The gateway in front of it answers them itself with the status 400, 408, 413, 429,
431, 500 or 503: 413 for a body, and 431 for a path, query and headers, that are larger than it passes on. The body is \`{"message": "…"}\` of the type \`application/json\`, without a \`code\` and without \`X-Request-Id\`. So
branch on the status first, and expect bodies without a \`code\`. After a 429 or 503 without a \`code\`, try again with
increasing delays.`
