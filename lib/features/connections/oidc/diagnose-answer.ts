import { AppError } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import type { DiagnosisCheck, SignInDiagnosis } from '../diagnosis.models.ts'
import { checkAccount, findLinkedUser, ownRules, toSubjectBody } from '../diagnosis.ts'
import type { Attribute } from '../proven-identity.records.ts'
import { checkAnswer, type ReceivedAnswer } from './check-answer.ts'
import { type Claims, getClaim } from './get-claim.ts'
import type { OidcConnection } from './records.ts'

/** Checks the answer to a test sign-in, and names the check that failed. No one is signed in. */
export const diagnoseAnswer = async (
  services: Services,
  connection: OidcConnection,
  received: ReceivedAnswer,
): Promise<SignInDiagnosis> => {
  let claims: Claims | undefined
  try {
    const identity = await checkAnswer(services, connection, received, (found) => {
      claims = found
    })
    const user = await findLinkedUser(services, connection, identity)
    const account = checkAccount(services, connection, user)
    return {
      accepted: account.outcome === 'held',
      steps: [...listHeldChecks(), account],
      subject: toSubjectBody(
        connection,
        { ...identity, attributes: listClaims(claims ?? {}) },
        user,
        identity,
      ),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { accepted: false, steps: listRefusedChecks(error, claims), subject: null }
  }
}

/** Claims about the token, and not about the person. */
const tokenClaims: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'azp',
  'iat',
  'nbf',
  'exp',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
])

/** The claims about the person, as the identity provider sent them. */
const listClaims = (claims: Claims): readonly Attribute[] =>
  Object.keys(claims)
    .filter((name) => !tokenClaims.has(name))
    .map((name) => {
      const value = getClaim(claims, name)
      const values = (Array.isArray(value) ? value : [value]).map((one) =>
        typeof one === 'string' ? one : JSON.stringify(one),
      )
      return { name, friendlyName: null, values }
    })

/** A check of an answer, in the order in which a sign-in makes them. */
interface Check {
  readonly name: string
  readonly clause: string
  /** What is true if the answer passes. */
  readonly statement: string
  /** What to change if it does not. */
  readonly remedy: string
}

const checks = [
  {
    name: 'status',
    clause: 'OpenID Connect Core 3.1.2.6',
    statement: 'The identity provider sent a code.',
    remedy: 'Check there whether the person may use this application, and whether its scopes are allowed.',
  },
  {
    name: 'token',
    clause: 'OpenID Connect Core 3.1.3',
    statement: 'The identity provider exchanged the code for tokens.',
    remedy: 'Compare the client ID, the client secret and the redirect URI on both sides.',
  },
  {
    name: 'id_token',
    clause: 'OpenID Connect Core 3.1.3.7',
    statement: 'The ID token is signed by the identity provider, for this service and this sign-in.',
    remedy: 'Compare the issuer and the client ID with what the identity provider sends.',
  },
  {
    name: 'id_token_time',
    clause: 'OpenID Connect Core 3.1.3.7',
    statement: 'The ID token is valid now.',
    remedy: 'Correct the clock of the identity provider.',
  },
  {
    name: 'sub',
    clause: 'OpenID Connect Core 2',
    statement: 'The ID token names the person by a subject.',
    remedy: 'Make the identity provider send `sub`: at most 255 ASCII characters.',
  },
  {
    name: 'hosted_domain',
    clause: ownRules,
    statement: 'The account belongs to the organization.',
    remedy: 'Sign in with an account of the organization, or correct `hosted_domain`.',
  },
  {
    name: 'auth_time',
    clause: 'OpenID Connect Core 2',
    statement: 'The time of the sign-in is valid.',
    remedy: 'Make the identity provider send `auth_time` as seconds, and correct its clock.',
  },
  {
    name: 'authn_context',
    clause: ownRules,
    statement: 'The person signed in there in a way that counts.',
    remedy: 'Make the identity provider require one of `required_authn_contexts`, or change them.',
  },
] as const satisfies readonly Check[]
type CheckName = (typeof checks)[number]['name']

const checkOfReason: ReadonlyMap<string, CheckName> = new Map([
  ['provider_refused', 'status'],
  ['token_refused', 'token'],
  ['invalid_answer', 'id_token'],
  ['hosted_domain', 'hosted_domain'],
  ['authentication_time', 'auth_time'],
  ['force_authn', 'auth_time'],
  ['authn_context', 'authn_context'],
])

/** The checks of an answer that passed all of them. */
const listHeldChecks = (): DiagnosisCheck[] => checks.map(toHeld)

/** The checks of an answer that was refused: those before held, and those after were not made. */
const listRefusedChecks = (error: AppError, claims: Claims | undefined): DiagnosisCheck[] => {
  const failed = findCheck(error, claims)
  const at = checks.findIndex(({ name }) => name === failed)
  return checks.map((check, index) => {
    if (index < at) return toHeld(check)
    const finding =
      index === at
        ? [error.details.detail, describeCause(error, failed, claims)].filter(Boolean).join(' ')
        : 'Not checked, because an earlier check failed.'
    return {
      name: check.name,
      clause: check.clause,
      outcome: index === at ? 'failed' : 'skipped',
      finding,
      remedy: index === at ? check.remedy : null,
    }
  })
}

const toHeld = ({ name, clause, statement }: Check): DiagnosisCheck => ({
  name,
  clause,
  outcome: 'held',
  finding: statement,
  remedy: null,
})

const findCheck = ({ details: { reason }, cause }: AppError, claims: Claims | undefined): CheckName => {
  const check = checkOfReason.get(reason ?? '') ?? 'token'
  if (check !== 'id_token') return check
  if (readCode(cause) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'id_token_time'
  return claims ? 'sub' : 'id_token'
}

/** The error of the library that was the reason. */
const readCode = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : undefined

const describeCause = ({ cause }: AppError, check: CheckName, claims: Claims = {}): string => {
  if (check === 'hosted_domain') return describeClaim('hd', claims)
  if (check === 'authn_context') return describeClaim('acr', claims)
  if (check === 'auth_time') return describeClaim('auth_time', claims)
  const code = readCode(cause)
  const answer = cause instanceof Error && 'error' in cause ? ` (${String(cause.error)})` : ''
  return code === undefined ? '' : `The error is ${code}${answer}.`.slice(0, 300)
}

const describeClaim = (name: string, claims: Claims): string => {
  const value = getClaim(claims, name)
  return value === undefined
    ? `The ID token has no \`${name}\`.`
    : `\`${name}\` is ${JSON.stringify(value).slice(0, 200)}.`
}
