import { reasons } from '../../lib/errors/reasons.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { steps } from '../../lib/saml/assertion/steps.ts'
import { gatewayAnswers } from '../../local/gateway/gateway-answers.ts'
import { code, codeList, markdownTable, page } from './markdown.ts'

export const errorCodesPage = (): string =>
  page(
    'Error codes and reasons',
    `An error is a problem body (RFC 9457) of the type \`application/problem+json\`. Branch on \`code\` and \`reason\`.
They are stable. The texts in \`title\`, \`detail\` and \`errors\` may change. Include \`request_id\` in support requests:
it identifies the request in the log.

Some requests never reach a function. API Gateway answers them itself, with \`{"message": "…"}\` of the type
\`application/json\` and the header \`Apigw-Requestid\`. Local mode does the same.

A service with a [front door](../deploy.md#front-door) answers requests that come past it with 403 and
\`{"message": "Forbidden"}\`.`,
    markdownTable(
      ['status', 'message', 'when'],
      Object.values(gatewayAnswers).map(({ status, message, when }) => [String(status), code(message), when]),
    ),
    '## Codes',
    markdownTable(
      ['status', 'code', 'default detail'],
      Object.entries(problemKinds).map(([name, { status, detail }]) => [String(status), code(name), detail]),
    ),
    '## Reasons',
    'Some errors have a `reason` that refines the code.',
    markdownTable(
      ['reason', 'with code', 'meaning'],
      [...reasons].map(([name, { codes, meaning }]) => [code(name), codeList(codes), meaning]),
    ),
    '## Reasons of SAML responses',
    `If a SAML response fails a check, the code is \`login_failed\` and the reason is the name of the check. The table
lists the checks in their order. [SAML](../concepts/saml.md#diagnose-a-response) explains how to run them on a response.`,
    markdownTable(
      ['reason', 'check', 'source'],
      steps.map(({ name, statement, clause }) => [code(name), statement, clause]),
    ),
  )
