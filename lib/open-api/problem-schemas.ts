import { signInWaysToAdd } from '../features/sign-in/ways.models.ts'
import { problemKinds, toProblem, toProblemBody } from '../http/problem.ts'
import type { Operation } from '../kernel/contract/operation.ts'
import { AppError, type ErrorCode, type FieldError } from '../kernel/errors/errors.ts'
import { omitUndefined } from '../kernel/util/object-fields.ts'
import { listErrors, listReasons } from './operation-errors.ts'
import type { JsonSchema } from './schemas.ts'

/** One kind of error of an operation: its code, and the reasons that may come with it. */
export interface Failure {
  readonly code: ErrorCode
  readonly reasons: readonly string[]
  /** The name of the schema that describes the body. */
  readonly name: string
  /** Whether the body can have what the next step of a sign-in needs. */
  readonly continuesSignIn: boolean
  /** Whether it can say that the browser can be remembered. */
  readonly offersToRemember: boolean
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(problemKinds, code)

/** Lists every kind of error that an operation can return. */
export const listFailures = (op: Operation): readonly Failure[] =>
  listErrors(op)
    .filter(isErrorCode)
    .map((code) => {
      const reasons = listReasons(op, code)
      const continuesSignIn = op.id === 'login' && code === 'login_incomplete'
      const offersToRemember =
        code === 'login_incomplete' && ['login', 'login_with_email_code'].includes(op.id)
      return { code, reasons, name: nameFailure(op, code, reasons), continuesSignIn, offersToRemember }
    })

/** The reasons of the checks before a use case. Many operations have the same ones, so these share a schema. */
const sharedReasons = new Map<string, string>(
  Object.entries({
    // All operations that use the table or a credential have these, so the name need not say it.
    table_busy: '',
    storage_full: '',
    record_busy: '',
    out_of_time: '',
    outcome_unknown: 'Change',
    partly_changed: '',
    credential_expired: '',
    insufficient_scope: 'Scope',
    second_factor_setup_required: 'Setup',
    reauthentication_required: 'Reauthentication',
  }),
)

/** Names a schema after its content. If only one operation has these reasons, it is named after the operation. */
const nameFailure = ({ id }: Operation, code: ErrorCode, reasons: readonly string[]): string => {
  const isShared = reasons.every((reason) => sharedReasons.has(reason))
  const names = isShared ? reasons.map((reason) => sharedReasons.get(reason)) : [toPascalCase(id)]
  return `${names.join('')}${toPascalCase(code)}Problem`
}

const toPascalCase = (name: string): string =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Builds the schemas of all problem bodies: one for each code, and one more for each set of reasons. */
export const buildProblemSchemas = (
  operations: readonly Operation[],
): Readonly<Record<string, JsonSchema>> => ({
  FieldError: fieldError,
  ...Object.fromEntries(
    operations.flatMap(listFailures).map((failure) => [failure.name, buildFailureSchema(failure)]),
  ),
})

const text = { type: 'string' }

const fieldError: JsonSchema = {
  description: 'One invalid field of a request.',
  type: 'object',
  required: ['field', 'message'],
  properties: {
    field: {
      ...text,
      description:
        'The path of the field, such as `rules.0.min_count`. It names a parameter for an invalid parameter, and `body` or `query` for the whole part.',
    },
    message: { ...text, description: 'What is wrong with the field. It continues its name.' },
    code: {
      ...text,
      description:
        'The kind of error, such as `min_length`, for a message in another language. Only errors about new passwords have it, and `taken` for a value that must be unique.',
    },
    limit: { type: 'integer', description: 'The number that the value must reach, or must not exceed.' },
    rule: {
      ...text,
      description: 'The rule that the value does not meet, as it is named in the password policy.',
    },
  },
  examples: [{ field: 'username', message: 'is required' }],
}

const fieldErrors = {
  type: 'array',
  description: 'Every invalid field.',
  items: { $ref: '#/components/schemas/FieldError' },
}

/** The codes whose problems always list fields. */
const codesWithFields: readonly string[] = ['invalid_request', 'password_rejected']
/** The codes whose problems always have a reason. */
export const codesWithReason: readonly string[] = ['login_failed', 'login_incomplete']

const buildFailureSchema = ({ code, reasons, continuesSignIn, offersToRemember }: Failure): JsonSchema => {
  const { status, detail } = problemKinds[code]
  const hasFields = codesWithFields.includes(code)
  return {
    description: detail,
    type: 'object',
    required: [
      ...['type', 'title', 'status', 'detail', 'code', 'request_id'],
      ...(codesWithReason.includes(code) ? ['reason'] : []),
      ...(hasFields ? ['errors'] : []),
    ],
    properties: {
      type: { ...text, format: 'uri', description: 'A URI that identifies the code.' },
      title: { ...text, description: 'The code in words.' },
      status: { type: 'integer', format: 'int32', const: status, description: 'The status of the response.' },
      detail: { ...text, description: 'What went wrong and what to do, for people. The text may change.' },
      code: { ...text, enum: [code], description: 'The kind of error. It is stable, so branch on it.' },
      request_id: { ...text, description: 'Identifies the request in the log of the service.' },
      ...(reasons.length > 0
        ? {
            reason: {
              ...text,
              enum: reasons,
              description: 'Refines the code. It is stable. New reasons may be added.',
            },
          }
        : {}),
      ...(hasFields || code === 'conflict' ? { errors: fieldErrors } : {}),
      ...(reasons.includes('sso_required') ? { saml_provider: requiredProvider } : {}),
      ...(reasons.includes('last_sign_in_method') ? { left_ways: leftWays, ways_to_add: waysToAdd } : {}),
      ...(reasons.includes('proof_required') ? { challenge: proofChallenge } : {}),
      ...(continuesSignIn ? { second_factor_token: secondFactorToken, password_policy: passwordPolicy } : {}),
      ...(reasons.includes('password_breached') ? { is_password_breached: isPasswordBreached } : {}),
      ...(reasons.some((reason) => ['sign_in_refused', 'sign_up_refused'].includes(reason))
        ? { refusal }
        : {}),
      ...(offersToRemember ? { remember_device_days: rememberDeviceDays } : {}),
    },
    examples: [buildProblemExample(code, reasons[0])],
  }
}

const secondFactorToken: JsonSchema = {
  ...text,
  description:
    'Proves that the password was right. Send it to `start_passkey_login` to continue with a passkey.',
}

const refusal = {
  ...text,
  description:
    'The words of the product for the person, with `sign_in_refused` and `sign_up_refused`, if it gave some. Show them as plain text.',
}

const isPasswordBreached: JsonSchema = {
  type: 'boolean',
  description:
    'True if the password must be changed because it was found in a data breach of another service. Otherwise missing.',
}

const leftWays: JsonSchema = {
  type: 'array',
  description:
    'With `last_sign_in_method`: the ways to sign in that would be left, each with what keeps it from working.',
  items: { $ref: '#/components/schemas/SignInWay' },
}

const waysToAdd: JsonSchema = {
  type: 'array',
  description: 'With `last_sign_in_method`: what the user can add first.',
  items: { ...text, enum: signInWaysToAdd },
}

const rememberDeviceDays: JsonSchema = {
  type: 'integer',
  description:
    'For how many days the browser can be remembered after the second factor: see `remember_device`. Missing if it cannot.',
}

const proofChallenge: JsonSchema = {
  type: 'object',
  required: ['parameters', 'signature'],
  properties: {
    parameters: {
      type: 'object',
      description:
        'What to solve, as ALTCHA defines it: the algorithm, its rounds, and how the key has to begin.',
    },
    signature: { ...text, description: 'Proves that the service asked.' },
  },
  description:
    'The challenge of ALTCHA to solve, with the reason `proof_required`. Send it with its solution in `proof`.',
}

const requiredProvider: JsonSchema = {
  type: 'object',
  required: ['id', 'name', 'login_url'],
  properties: {
    id: { type: 'integer', description: 'The ID of the SAML provider.' },
    name: { ...text, description: 'The name of the provider.' },
    login_url: { ...text, description: 'The URL that starts the sign-in. Open it in a browser.' },
  },
  description: 'The provider that the user must sign in with, with the reason `sso_required`.',
}

const passwordPolicy: JsonSchema = {
  $ref: '#/components/schemas/PasswordPolicy',
  description: 'What the new password must meet, with the reason `password_change_required`.',
}

/** Builds a body as the service sends it. */
export const buildProblemExample = (code: ErrorCode, reason: string | undefined) => {
  const details = omitUndefined({ reason, errors: exampleErrors[code] })
  return omitUndefined(toProblemBody(toProblem(new AppError(code, details), 'Jx3kAgkOliAEJrw=')))
}

const exampleErrors: { readonly [Code in ErrorCode]?: readonly FieldError[] } = {
  invalid_request: [{ field: 'limit', message: 'must be at most 1000' }],
  password_rejected: [
    {
      field: 'password',
      message: 'The password must have at least 12 characters.',
      code: 'min_length',
      limit: 12,
    },
  ],
}
