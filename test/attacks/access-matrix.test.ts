import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changesState, type Operation } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import { type Credential, createCredentials } from '../support/credentials.ts'
import { startService, type TestService } from '../support/service.ts'
import { accessDecisions } from './access-decisions.ts'

/*
 * Every operation with every kind of credential. The requests are invalid on purpose: a caller who may call the operation
 * gets a validation error, and nothing changes. Rules inside of operations have tests of their own.
 */

let service: TestService
let credentials: Readonly<Record<string, Credential>>
beforeAll(async () => {
  service = await startService({}, { sendsMail: false })
  credentials = await createCredentials(service)
})
afterAll(() => service.close())

/** Describes who may call an operation, as the table of decisions does. */
const describeAccess = ({ access, notWhileImpersonating, recentAuthentication }: Operation): string => {
  if (access.allow === 'anyone')
    return ['anyone', ...(access.credential === 'optional' ? (access.by ?? ['session']) : [])].join(' or ')
  const kinds = access.by.map((kind) => (kind === 'api_token' ? `token with ${access.scope}` : kind))
  return [
    kinds.join(' or '),
    ...(access.allow === 'permission' ? [`permission ${access.permission}`] : []),
    ...(notWhileImpersonating ? ['own session'] : []),
    ...(recentAuthentication === true ? ['recent'] : []),
    ...(recentAuthentication === 'for_sign_in_and_rights' ? ['recent for sign-in and rights'] : []),
  ].join(', ')
}

type Outcome = 'allowed' | '401' | '403' | '403 insufficient_scope' | '403 reauthentication_required'

/** The decision for a credential, from the declaration alone. */
const decide = (operation: Operation, credential: Credential): Outcome => {
  const { access } = operation
  const { kind, permissions } = credential
  const isForgeable = credential.isForeignCookie && changesState(operation)
  if (access.allow === 'anyone') return isForgeable && access.credential === 'optional' ? '403' : 'allowed'
  if (kind === 'none' || (kind === 'reset_token' && !access.by.includes('reset_token'))) return '401'
  if (!access.by.includes(kind)) return '403'
  if (operation.notWhileImpersonating && (credential.isLinkSession || credential.isImpersonating))
    return '403'
  const isRecent = kind !== 'session' || !(credential.isStale || credential.isLinkSession)
  if (operation.recentAuthentication === true && !isRecent) return '403 reauthentication_required'
  if (isForgeable) return '403'
  const scopes = credential.scopes?.(operation)
  const holds = (held: readonly string[], needed: string) =>
    held.includes(needed) || held.includes('system:admin-access')
  if (scopes && !holds(scopes, access.scope ?? '')) return '403 insufficient_scope'
  return access.allow === 'permission' && !holds(permissions, access.permission) ? '403' : 'allowed'
}

const send = async (operation: Operation, credential: Credential): Promise<Outcome | string> => {
  const path = operation.path.replaceAll(/\{\w*id\}/g, '2147483647').replaceAll(/\{\w+\}/g, 'x')
  const { status, body, headers, text } = await service.client(
    operation.method,
    `${path}?repeated=1&repeated=2`,
    credential.send(operation),
  )
  const code = operation.errorFormat === 'oauth' ? body.error : body.code
  if (status === 400 && code === 'invalid_request') return 'allowed'
  const challenge = headers.get('www-authenticate')
  if (status === 401 && body.code === 'not_authenticated' && challenge === 'Bearer') return '401'
  const isScopeMissing = challenge?.startsWith('Bearer error="insufficient_scope", scope="')
  if (status !== 403 || body.code !== 'permission_denied' || Boolean(challenge) !== Boolean(isScopeMissing))
    return text
  return ['403', body.reason].filter(Boolean).join(' ')
}

describe('the access to every operation', () => {
  it('is decided in the table', () => {
    expect(
      Object.fromEntries(operations.map((operation) => [operation.id, describeAccess(operation)])),
    ).toEqual(accessDecisions)
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s allows exactly the credentials of its declaration',
    async (_, operation) => {
      const entries = Object.entries(credentials)
      const outcomes = await Promise.all(
        entries.map(async ([name, credential]) => [name, await send(operation, credential)] as const),
      )
      expect(Object.fromEntries(outcomes)).toEqual(
        Object.fromEntries(entries.map(([name, credential]) => [name, decide(operation, credential)])),
      )
    },
  )
})
