import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSession } from '../../lib/accounts/sessions/session-rules.ts'
import type { AuthenticationMethod } from '../../lib/accounts/sessions/stored-session.records.ts'
import { requireUser } from '../../lib/accounts/users/require-records.ts'
import { type Authenticator, enableSecondFactor } from '../support/authenticator.ts'
import type { Answer } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  readRedirect,
  readReturnPath,
} from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Products ask for a stronger sign-in with `acr_values` (RFC 9470). A weaker session never gets a code for it. */

const films = 'https://films.example'
const strong = 'urn:latchkey:acr:multi-factor'
const weak = 'urn:latchkey:acr:single-factor'
const service = await useService()
const person = await addSignedIn(service)
const shop = await addRelyingParty(service, { audiences: [films] })

const signInBy = async (...methods: AuthenticationMethod[]): Promise<string> => {
  const user = await requireUser(service.services.table, person.user.id)
  const context = { actor: null, requestId: 'a request', address: '192.0.2.1', userAgent: '', at: Date.now() }
  return openSession(service.services, user, context, { methods, expiresAt: null })
}
const { challenge, verifier } = createPkce()
const authorize = (bearer: string, parameters: Readonly<Record<string, string>>): Promise<Answer> => {
  const query = buildAuthorization(shop, challenge, { resource: films, ...parameters })
  const headers = { cookie: `latchkey=${bearer}`, accept: 'text/html' }
  return service.client('GET', `/oauth2/authorize?${query}`, { headers })
}
const comeBack = ({ headers, cookies }: Answer, bearer: string): Promise<Answer> => {
  // A cookie that is removed comes before its successor.
  const kept = new Map(cookies.map((cookie) => [cookie.split('=')[0], cookie.split(';')[0]]))
  const jar = [`latchkey=${bearer}`, ...kept.values()].join('; ')
  return service.client('GET', readReturnPath({ headers }), { headers: { cookie: jar, accept: 'text/html' } })
}
const classOf = async (answer: Answer) => {
  const code = readRedirect(answer)['code'] ?? ''
  const { body } = await exchangeCode(service, shop, { code, verifier })
  return [decodeJwt(body.id_token)['acr'], decodeJwt(body.access_token)['acr']]
}

describe('a client that asks for two factors', () => {
  it.each([[strong], [`${strong} unknown`], [`unknown ${strong} ${strong}`]])(
    'with %j gets a code after a sign-in with both',
    async (acr_values) => {
      const page = await authorize(await signInBy('pwd'), { acr_values })
      const { searchParams } = new URL(page.headers.get('location') ?? '')
      expect([searchParams.get('prompt'), searchParams.get('factors')]).toEqual(['login', '2'])
      const answer = await comeBack(page, await signInBy('pwd', 'otp'))
      expect(await classOf(answer)).toEqual([strong, strong])
    },
  )

  it('gets an error if the user signs in again without a second one', async () => {
    const page = await authorize(await signInBy('pwd'), { acr_values: strong })
    for (const methods of [['pwd'], ['saml'], ['email_code']] as const) {
      const { code, error } = readRedirect(await comeBack(page, await signInBy(...methods)))
      expect([code, error]).toEqual([undefined, 'unmet_authentication_requirements'])
    }
  })

  it('gets one after a weak first sign-in only by another one', async () => {
    const query = buildAuthorization(shop, challenge, { acr_values: strong })
    const page = await service.client('GET', `/oauth2/authorize?${query}`)
    const again = await comeBack(page, await signInBy('saml'))
    expect(new URL(again.headers.get('location') ?? '').searchParams.get('prompt')).toBe('login')
    expect(readRedirect(await comeBack(again, await signInBy('passkey')))['code']).toBeDefined()
  })

  it('does not get a code by an older strong session', async () => {
    const old = await signInBy('passkey')
    const page = await authorize(await signInBy('pwd'), { acr_values: strong, prompt: 'login' })
    expect(readRedirect(await comeBack(page, old))['code']).toBeUndefined()
  })

  it('gets an error without a page', async () => {
    const answer = await authorize(await signInBy('pwd'), { acr_values: strong, prompt: 'none' })
    expect(readRedirect(answer)['error']).toBe('login_required')
  })

  it('gets a code at once if the user is signed in with both', async () => {
    expect(await classOf(await authorize(await signInBy('passkey'), { acr_values: strong }))).toEqual([
      strong,
      strong,
    ])
  })
})

it.each([weak, `${strong} ${weak}`, 'unknown', '', '__proto__ constructor', ' '.repeat(100)])(
  'acr_values %j ask for nothing more',
  async (acr_values) => {
    expect(await classOf(await authorize(await signInBy('pwd'), { acr_values }))).toEqual([weak, weak])
  },
)

describe('a sign-in that lacks only a code', () => {
  const addCode = (bearer: string, otp: string, more = {}) =>
    service.client('POST', '/api/2/auth/reauthenticate', { bearer, body: { otp, ...more } })
  const startFor = async (...methods: AuthenticationMethod[]) => {
    vi.setSystemTime(Date.now() + 60_000)
    const bearer = await signInBy(...methods)
    const page = await authorize(bearer, { acr_values: strong })
    const { searchParams } = new URL(page.headers.get('location') ?? '')
    expect([searchParams.get('prompt'), searchParams.get('lacks')]).toEqual(['login', 'factor'])
    return { bearer, page }
  }
  let authenticator: Authenticator
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    ;({ authenticator } = await enableSecondFactor(service, person))
  })
  afterAll(() => vi.useRealTimers())

  it.each([['pwd'], ['saml'], ['oidc']] as const)(
    'by %s gets it, and a code for the client',
    async (method) => {
      const { bearer, page } = await startFor(method)
      const before = await authTimeOf(bearer)
      vi.setSystemTime(Date.now() + 40_000)
      expect((await addCode(bearer, authenticator.code())).status).toBe(204)
      expect(await classOf(await comeBack(page, bearer))).toEqual([strong, strong])
      // The user proved a second factor, and nothing else again.
      expect(await authTimeOf(bearer)).toBe(before)
    },
  )

  const authTimeOf = async (bearer: string) => {
    const { code = '' } = readRedirect(await authorize(bearer, {}))
    return decodeJwt((await exchangeCode(service, shop, { code, verifier })).body.id_token)['auth_time']
  }

  it.each([
    ['wrong', '000000'],
    ['empty', ''],
    ['malformed', 'x'],
    ['huge', '0'.repeat(10_000)],
  ])('gets nothing by a code that is %s', async (_, otp) => {
    const { bearer, page } = await startFor('saml')
    expect((await addCode(bearer, otp)).status).toBeGreaterThanOrEqual(400)
    expect(readRedirect(await comeBack(page, bearer))['code']).toBeUndefined()
  })

  it('is completed by a code once, however many sessions send it at once', async () => {
    const started = [await startFor('saml'), await startFor('saml'), await startFor('saml')]
    const otp = authenticator.code()
    const statuses = await Promise.all(started.map(async ({ bearer }) => (await addCode(bearer, otp)).status))
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  })

  it.each([['email_code'], ['link']] as const)('does not exist by %s', async (method) => {
    vi.setSystemTime(Date.now() + 60_000)
    const bearer = await signInBy(method)
    expect((await addCode(bearer, authenticator.code())).status).toBeGreaterThanOrEqual(400)
  })

  it('does not confirm the identity for changes of credentials', async () => {
    const bearer = await signInBy('saml')
    vi.setSystemTime(Date.now() + 60 * 60_000)
    expect((await addCode(bearer, authenticator.code())).status).toBe(204)
    const path = `/api/2/users/${person.user.id}/totp?otp=${authenticator.code(1)}`
    const { status, body } = await service.client('DELETE', path, { bearer })
    expect([status, body.reason]).toEqual([403, 'reauthentication_required'])
  })

  it('does not do for a client that also wants a new sign-in', async () => {
    vi.setSystemTime(Date.now() + 60_000)
    const bearer = await signInBy('saml')
    vi.setSystemTime(Date.now() + 5_000)
    const page = await authorize(bearer, { acr_values: strong, max_age: '1', prompt: 'login' })
    expect(new URL(page.headers.get('location') ?? '').searchParams.get('lacks')).toBeNull()
    expect((await addCode(bearer, authenticator.code())).status).toBe(204)
    expect(readRedirect(await comeBack(page, bearer))['code']).toBeUndefined()
  })
})

describe('the parameter claims', () => {
  const ask = (acr: unknown) => JSON.stringify({ id_token: { acr, auth_time: { essential: true } } })

  it.each([ask({ essential: true, value: strong }), ask({ essential: true, values: ['unknown', strong] })])(
    'asks for two factors by %j',
    async (claims) => {
      const page = await authorize(await signInBy('saml'), { claims })
      expect(new URL(page.headers.get('location') ?? '').searchParams.get('factors')).toBe('2')
      expect(await classOf(await authorize(await signInBy('passkey'), { claims }))).toEqual([strong, strong])
    },
  )

  it.each([
    ask({ value: strong }),
    ask({ essential: true, values: [weak] }),
    ask(null),
    '{"id_token":{"acr":{"essential":true,"value":{"toString":"x"}}}}',
    '{"__proto__":{"id_token":{"acr":{"essential":true,"value":"x"}}}}',
    '[',
    '""',
  ])('asks for nothing more by %j', async (claims) => {
    expect(await classOf(await authorize(await signInBy('pwd'), { claims }))).toEqual([weak, weak])
  })

  it('gives no claim that the scopes do not', async () => {
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } })
    const { code = '' } = readRedirect(await authorize(await signInBy('pwd'), { claims, scope: 'openid' }))
    const { body } = await exchangeCode(service, shop, { code, verifier })
    expect(decodeJwt(body.id_token)).not.toHaveProperty('email')
  })
})
