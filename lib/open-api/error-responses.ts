import { OAuthError } from '../features/oauth/flow.models.ts'
import { problemKinds } from '../http/problem.ts'
import type { Operation } from '../kernel/contract/operation.ts'
import type { ErrorCode } from '../kernel/errors/errors.ts'
import { groupBy } from '../kernel/util/group-by.ts'
import { describeReason } from './operation-errors.ts'
import { buildProblemExample, codesWithReason, type Failure, listFailures } from './problem-schemas.ts'
import { refer } from './responses.ts'
import { buildSchema } from './schemas.ts'

/** Describes the responses of an operation that fails, by status. */
export const describeErrors = (op: Operation) =>
  op.errorFormat === undefined ? describeProblems(op) : describeInFormat(op, op.errorFormat)

/** The bodies of errors in the formats of protocols. */
const formats = {
  oauth: () => ({ 'application/json': { schema: buildSchema(OAuthError) } }),
  // RFC 7644 3.12.
  scim: () => ({ 'application/scim+json': { schema: { type: 'object' } } }),
} as const

/** Endpoints of protocols declare most of their errors as responses. The others have the same form. */
const describeInFormat = (op: Operation, format: keyof typeof formats) =>
  Object.fromEntries(
    groupByStatus(op)
      .filter(([status]) => !(status in op.responses))
      .map(([status, failures]) => [
        String(status),
        {
          description: failures.map(({ code }) => problemKinds[code].detail).join('\n\n'),
          headers: describeHeaders(failures),
          content: formats[format](),
        },
      ]),
  )

const describeProblems = (op: Operation) =>
  Object.fromEntries(
    groupByStatus(op).map(([status, failures]) => {
      const [only, ...others] = failures
      return [
        String(status),
        only && others.length === 0 && !(status in op.responses)
          ? { $ref: `#/components/responses/${nameResponse(only)}` }
          : describeFailures(failures),
      ]
    }),
  )

/** Builds the responses for a single kind of error, which many operations share. */
export const buildSharedResponses = (operations: readonly Operation[]) =>
  Object.fromEntries(
    operations
      .filter(({ errorFormat }) => errorFormat === undefined)
      .flatMap(groupByStatus)
      .filter(([, failures]) => failures.length === 1)
      .flatMap(([, failures]) =>
        failures.map((failure) => [nameResponse(failure), describeFailures([failure])] as const),
      ),
  )

const groupByStatus = (op: Operation): readonly (readonly [status: number, failures: readonly Failure[]])[] =>
  [...groupBy(listFailures(op), ({ code }) => problemKinds[code].status)].sort(([a], [b]) => a - b)

/** `NotFoundProblem` is the body of `NotFound`. */
const nameResponse = ({ name }: Failure): string => name.replace(/Problem$/, '')

const describeFailures = (failures: readonly Failure[]) => ({
  description: failures.map(describeFailure).join('\n\n'),
  headers: describeHeaders(failures),
  content: {
    'application/problem+json': {
      schema: buildUnion(
        failures.map(({ name }) => name),
        failures,
      ),
      examples: Object.fromEntries(failures.flatMap(buildProblemExamples)),
    },
  },
})

const describeFailure = ({ code, reasons }: Failure): string =>
  [
    `\`${code}\`: ${problemKinds[code].detail}`,
    ...reasons.map((reason) => `- \`${reason}\`: ${describeReason(reason)}`),
  ].join('\n')

/** Clients distinguish the kinds of errors of one status by their `code`. */
const buildUnion = (names: readonly string[], failures: readonly Failure[]) => {
  const references = names.map((name) => `#/components/schemas/${name}`)
  if (references.length === 1) return { $ref: references[0] }
  return {
    oneOf: references.map(($ref) => ({ $ref })),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(failures.map(({ code }, index) => [code, references[index]])),
    },
  }
}

const buildProblemExamples = ({ code, reasons }: Failure) => {
  const isReasonOptional = !codesWithReason.includes(code) || reasons.length === 0
  return [...(isReasonOptional ? [undefined] : []), ...reasons].map((reason) => {
    const summary = reason === undefined ? code : `${code}: ${reason}`
    return [
      [code, ...(reason === undefined ? [] : [reason])].join('-'),
      { summary, value: buildProblemExample(code, reason) },
    ] as const
  })
}

/** The codes whose problems say when to try again. */
const codesWithDelay: readonly ErrorCode[] = ['too_many_requests', 'temporarily_unavailable']

const describeHeaders = (failures: readonly Failure[]) => {
  const needsCredential = failures.some(
    ({ code, reasons }) => code === 'not_authenticated' || reasons.includes('insufficient_scope'),
  )
  return refer({
    'X-Request-Id': 'X-Request-Id',
    ...(needsCredential ? { 'WWW-Authenticate': 'WWW-Authenticate' } : {}),
    ...(failures.some(({ code }) => codesWithDelay.includes(code)) ? { 'Retry-After': 'Retry-After' } : {}),
  })
}
