import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import {
  CreateAccessTokenRequest,
  SendLinkEmailRequest,
} from '../../lib/features/access-links/requests.models.ts'
import { APITokenWithSecretUpdate } from '../../lib/features/api-tokens/models.ts'
import { connectionFlow } from '../../lib/features/connections/flow.operations.ts'
import { SAMLAssertionForm, SAMLLogoutQuery } from '../../lib/features/connections/saml/messages.models.ts'
import { PasswordPolicy, RequestPasswordResetRequest } from '../../lib/features/passwords/models.ts'
import { AuthLoginEndpointRequest } from '../../lib/features/sign-in/models.ts'

const accepts = (schema: z.ZodMiniType, given: unknown) => schema.safeParse(given).success
const findErrorPaths = (schema: z.ZodMiniType, given: unknown) =>
  schema.safeParse(given).error?.issues.map(({ path }) => path.join('.')) ?? []

describe('creating an access token', () => {
  const bundle = { id: 7, name: 'Cut 3', root: 1, path: 'cuts/3' }

  it('requires one object and has defaults for everything else', () => {
    const read = CreateAccessTokenRequest.parse({ bundles: [bundle], permissions: { allow_read: true } })
    expect(read).toMatchObject({
      bundles: [bundle],
      directories: [],
      require_login: false,
      is_easy_sharing: false,
    })
    expect(Object.keys(read.permissions)).toHaveLength(20)
    expect(Object.entries(read.permissions).filter(([, allowed]) => allowed)).toEqual([['allow_read', true]])
  })

  it('grants nothing if permissions are omitted', () => {
    const { permissions } = CreateAccessTokenRequest.parse({ directories: [bundle] })
    expect(Object.values(permissions)).toEqual(Array(20).fill(false))
  })

  it.each<[string, object, string]>([
    ['no object', {}, 'bundles'],
    ['empty lists', { bundles: [], directories: [] }, 'bundles'],
    ['an object twice', { bundles: [bundle, { ...bundle, name: 'again' }] }, 'bundles'],
    ['an asset of a directory', { directories: [{ ...bundle, asset: 3 }] }, 'directories.0'],
    [
      'easy sharing of two',
      { bundles: [bundle], directories: [bundle], is_easy_sharing: true },
      'is_easy_sharing',
    ],
    ['two recipients', { bundles: [bundle], user: 1, email: 'a@b' }, 'email'],
    ['several addresses', { bundles: [bundle], email: 'a@b,c@d' }, 'email'],
    ['no view at all', { bundles: [bundle], view_limit: 0 }, 'view_limit'],
    ['an empty password', { bundles: [bundle], password: '' }, 'password'],
    ['an unknown permission', { bundles: [bundle], permissions: { allow_all: true } }, 'permissions'],
    [
      '26 bundles',
      { bundles: Array.from({ length: 26 }, (_, at) => ({ ...bundle, id: at + 1 })) },
      'bundles',
    ],
  ])('is rejected with %s', (_, given, field) => {
    expect(findErrorPaths(CreateAccessTokenRequest, given)).toEqual([field])
  })

  it('accepts 25 bundles and 25 directories', () => {
    const objects = Array.from({ length: 25 }, (_, at) => ({ ...bundle, id: at + 1 }))
    expect(accepts(CreateAccessTokenRequest, { bundles: objects, directories: objects })).toBe(true)
  })
})

describe('the request to email an access link', () => {
  it('has only optional fields', () => {
    expect(SendLinkEmailRequest.parse({})).toEqual({})
  })

  it('reports all invalid fields together', () => {
    const given = { email: 'a@b\r\nBcc: c@d', subject: 'a\r\nBcc: c@d', text: '\u0000', to: 'x' }
    expect(findErrorPaths(SendLinkEmailRequest, given)).toEqual(['email', 'subject', 'text', ''])
  })
})

describe('the value of an API token', () => {
  it.each(['x'.repeat(32), 'x'.repeat(1023), 'abcDEF123-._~'.repeat(3), `${'+/'.repeat(20)}==`])(
    'can be %s',
    (token) => {
      expect(accepts(APITokenWithSecretUpdate, { name: 'n', token })).toBe(true)
    },
  )

  it.each([
    '',
    'x'.repeat(31),
    'x'.repeat(1024),
    `${'x'.repeat(40)} `,
    `${'x'.repeat(40)}=x`,
    '='.repeat(40),
    `${'x'.repeat(40)}\n`,
    `${'x'.repeat(40)},`,
    'é'.repeat(40),
  ])('cannot be %j', (token) => {
    expect(accepts(APITokenWithSecretUpdate, { name: 'n', token })).toBe(false)
  })
})

describe('the request to sign in', () => {
  it('accepts null for optional fields', () => {
    const given = { username: 'anna', password: 'x', otp: null, new_password: null }
    expect(AuthLoginEndpointRequest.parse(given)).toEqual(given)
  })

  it.each([
    { username: '', password: 'x' },
    { username: 'anna' },
    { username: 'anna', password: null },
    { username: 'anna', password: ['x'] },
    { username: { $ne: null }, password: 'x' },
    { username: 'anna', password: 'x', new_password: '' },
    { username: 'anna', password: 'x', is_admin: true },
  ])('rejects %j', (given) => {
    expect(accepts(AuthLoginEndpointRequest, given)).toBe(false)
  })
})

describe('the request for a password reset', () => {
  it('requires exactly one of username and email', () => {
    expect(accepts(RequestPasswordResetRequest, { username: 'anna' })).toBe(true)
    expect(accepts(RequestPasswordResetRequest, { email: 'a@b' })).toBe(true)
    expect(accepts(RequestPasswordResetRequest, {})).toBe(false)
    expect(accepts(RequestPasswordResetRequest, { username: 'anna', email: 'a@b' })).toBe(false)
  })
})

describe('a password policy', () => {
  it('can have up to 100 rules', () => {
    const rules = (count: number) => ({
      rules: Array(count).fill({ group_name: 'digits', group_regex: '[0-9]', min_count: 1 }),
    })
    expect(accepts(PasswordPolicy, rules(100))).toBe(true)
    expect(accepts(PasswordPolicy, rules(101))).toBe(false)
  })
})

describe('messages of an identity provider', () => {
  it('can have additional parameters, which are ignored', () => {
    expect(SAMLAssertionForm.parse({ SAMLResponse: 'x', RelayState: '', extra: '1' })).toEqual({
      SAMLResponse: 'x',
      RelayState: '',
    })
    expect(SAMLLogoutQuery.parse({ SAMLRequest: 'x', 'client-request-id': '1' })).toEqual({
      SAMLRequest: 'x',
    })
  })

  it('are rejected as the response to a sign-in if sent by GET', () => {
    const { query } = connectionFlow.returnFromSamlAuth
    expect(accepts(query, {})).toBe(true)
    expect(query.safeParse({ SAMLResponse: 'x' }).error?.issues[0]?.message).toBe(
      'is accepted only by POST to the assertion endpoint',
    )
  })
})
