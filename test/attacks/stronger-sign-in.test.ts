import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSession } from '../../lib/accounts/sign-in/sessions.ts'
import type { AuthenticationMethod } from '../../lib/store/sign-in/session-record.ts'
import type { Answer } from '../support/client.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  type RelyingParty,
  readRedirect,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

/* Products ask for a stronger sign-in with `acr_values` (RFC 9470). A weaker session never gets a code for it. */

const strong = 'urn:latchkey:acr:multi-factor'
const weak = 'urn:latchkey:acr:single-factor'

let service: TestService
let person: SignedInPerson
let shop: RelyingParty
beforeAll(async () => {
  service = await startService()
  person = await addSignedIn(service)
  shop = await addRelyingParty(service)
})
afterAll(() => service.close())

const signInBy = (...methods: AuthenticationMethod[]): Promise<string> => {
  const context = { actor: null, requestId: 'a request', address: '192.0.2.1', userAgent: '', at: Date.now() }
  return openSession(service.services, person.user, context, { methods, expiresAt: null })
}
const { challenge, verifier } = createPkce()
const authorize = (bearer: string, parameters: Readonly<Record<string, string>>): Promise<Answer> => {
  const query = buildAuthorization(shop, challenge, parameters)
  const headers = { cookie: `latchkey=${bearer}`, accept: 'text/html' }
  return service.client('GET', `/oauth2/authorize?${query}`, { headers })
}
const comeBack = ({ headers, cookies }: Answer, bearer: string): Promise<Answer> => {
  const page = new URL(headers.get('location') ?? '')
  const { pathname } = new URL(page.searchParams.get('return_to') ?? '')
  // A cookie that is removed comes before its successor.
  const kept = new Map(cookies.map((cookie) => [cookie.split('=')[0], cookie.split(';')[0]]))
  const jar = [`latchkey=${bearer}`, ...kept.values()].join('; ')
  return service.client('GET', pathname, { headers: { cookie: jar, accept: 'text/html' } })
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
