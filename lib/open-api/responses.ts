import type { Example } from '../kernel/contract/describe.ts'
import type { Operation, OperationText, Responses } from '../kernel/contract/operation.ts'
import type { JsonSchema } from './schemas.ts'
import { buildParameters, buildSchema } from './schemas.ts'

const describeHeader = (description: string, schema: JsonSchema, example: unknown) => ({
  description,
  schema,
  example,
})
const text = { type: 'string' }

/** The headers of responses, by the names that `refer` accepts. */
export const sharedHeaders = {
  'X-Request-Id': describeHeader(
    'Identifies the request in the log of the service.',
    text,
    'Jx3kAgkOliAEJrw=',
  ),
  Link: describeHeader(
    'The URL of the next page, if there is one (RFC 8288).',
    text,
    '</api/2/users?limit=50&cursor=vQ3xnZ0aR8kT5sLbVTAwMDAwMDA1MA>; rel="next"',
  ),
  Location: describeHeader(
    'The path of the new resource.',
    { type: 'string', format: 'uri-reference' },
    '/api/2/users/7',
  ),
  ETag: describeHeader(
    'The version of the document, for `If-None-Match` (RFC 9110, section 8.8.3).',
    text,
    'W/"Zx0r5cT1u3kq9Wm2Yv8L4pQ6sN7bH0aJ"',
  ),
  Redirect: describeHeader(
    'The URL to continue at.',
    { type: 'string', format: 'uri-reference' },
    'https://app.example.com/',
  ),
  'WWW-Authenticate': describeHeader(
    'The scheme of the missing credential, and the missing scope (RFC 6750, section 3).',
    text,
    'Bearer',
  ),
  'Retry-After': describeHeader(
    'Seconds to wait before the next attempt.',
    { type: 'integer', format: 'int32', minimum: 1 },
    60,
  ),
}

/** Builds the headers of a response, which all refer to shared ones. */
export const refer = (headers: Readonly<Record<string, keyof typeof sharedHeaders>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([header, name]) => [header, { $ref: `#/components/headers/${name}` }]),
  )

/** Describes the responses of an operation that have a body of their own: all successes, and the 503 of a health check. */
export const describeSuccess = (op: Operation, { responses = {} }: Partial<OperationText> = {}) =>
  Object.fromEntries(
    Object.entries(op.responses).map(([status, response]) => [
      status,
      {
        ...describeResponse(status, response, responses[Number(status)]),
        headers: describeHeaders(op, status),
      },
    ]),
  )

const descriptions = new Map<string, string>(
  Object.entries({
    200: 'Success.',
    201: 'Created.',
    204: 'Success, without a body.',
    303: 'Continue at the URL in `Location`.',
    400: 'The request is not valid.',
    401: 'The client is not known, or its secret is wrong.',
    403: 'The credential does not allow this.',
    304: 'The document has not changed since the `ETag` in the header `If-None-Match`.',
    404: 'There is nothing at this address.',
    409: 'The change is not possible.',
    412: 'The resource has another version.',
    413: 'The body is too large.',
    501: 'The service does not do this.',
    503: 'A part of the service does not work.',
  }),
)

const describeResponse = (
  status: string,
  response: Responses[number] | undefined,
  examples: readonly Example[] | undefined,
) => {
  const description = descriptions.get(status) ?? 'Success.'
  if (response === null || response === undefined) return { description }
  if (typeof response === 'string')
    return { description, content: { [response]: describeText(response, examples) } }
  const body = { schema: buildSchema(response), ...buildExamples(examples) }
  return { description, content: { 'application/json': body } }
}

/** A body that no model describes. That of a protocol in JSON is an object, whose examples are texts. */
const describeText = (mediaType: string, examples: readonly Example[] = []) =>
  mediaType.endsWith('+json')
    ? {
        schema: { type: 'object' },
        ...buildExamples(
          examples.map((example) => ({ ...example, value: JSON.parse(String(example.value)) })),
        ),
      }
    : { schema: text, ...buildExamples(examples) }

const describeHeaders = ({ query, responses }: Operation, status: string) =>
  refer({
    'X-Request-Id': 'X-Request-Id',
    ...(query && 'cursor' in buildParameters(query) && status === '200' ? { Link: 'Link' } : {}),
    ...(304 in responses ? { ETag: 'ETag' } : {}),
    ...(status === '201' ? { Location: 'Location' } : {}),
    ...(status === '303' ? { Location: 'Redirect' } : {}),
  })

/** Builds the examples of a body. Each has a name that tools show in lists and addresses. */
export const buildExamples = (examples: readonly Example[] = []) =>
  examples.length === 0
    ? {}
    : { examples: Object.fromEntries(examples.map((example) => [nameExample(example), example])) }

/** `A user with a second factor` becomes `a_user_with_a_second_factor`. */
const nameExample = ({ summary }: Example): string =>
  summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
