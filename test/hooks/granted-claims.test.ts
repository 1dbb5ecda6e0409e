import { beforeEach, describe, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { addRelyingParty, buildAuthorization, createPkce } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* People who agree to an app, and administrators who try a sign-in, see the claims that the hook `beforeToken` adds. */

const functions = closeAfterTests(await startHookFunctions())
const claims = ['plan', 'https://films.example.com/crm', 'given_name']
const service = await useService(functions.settingsFor({ beforeToken: { claims, timeoutMs: 300 } }))
const scopes = ['openid', 'profile', 'attributes'] as const
const redirect_uri = 'http://127.0.0.1/callback'
const app = await addRelyingParty(service, { type: 'public', redirect_uris: [redirect_uri], scopes })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

beforeEach(() => {
  closeCircuits()
  functions.questions.length = 0
  functions.answer({ claims: { plan: 'pro' } })
})

const openConsent = async (scope: string) => {
  const browser = new TestBrowser(service)
  browser.keep({ cookies: [`latchkey=${admin.bearer}; Path=/; HttpOnly; SameSite=Lax`] })
  const query = buildAuthorization(app, createPkce().challenge, { redirect_uri, scope })
  const started = await browser.get(`/oauth2/authorize?${query}`, 'cross-site')
  const { pathname, search } = new URL(started.headers.get('location') ?? '')
  return (await browser.get(pathname + search, 'cross-site')).text
}

describe('the page that asks a person', () => {
  it('names the claims that the hook may add, without asking it', async () => {
    const text = await openConsent('openid profile attributes')
    for (const name of claims) expect(text).toContain(name)
    expect(functions.questions).toEqual([])
  })

  it.each([
    ['openid profile', ['given_name']],
    ['openid attributes', ['plan', 'https://films.example.com/crm']],
    ['openid', []],
  ])('names with %s those of its scopes alone', async (scope, named) => {
    const text = await openConsent(scope)
    for (const name of claims) expect([name, text.includes(name)]).toEqual([name, named.includes(name)])
  })
})

describe('a trial of a sign-in', () => {
  const tryIt = async () => {
    const path = `/api/2/oidc-clients/${app.client.id}/sign-in-trials`
    const { status, body } = await service.client('POST', path, { bearer: admin.bearer, body: {} })
    expect([status, body.outcome]).toEqual([200, 'tokens'])
    return body.id_token.filter(({ name }: { readonly name: string }) => claims.includes(name))
  }

  it('shows what the hook adds, by one call', async () => {
    functions.answer({ claims: { plan: 'pro', given_name: 'Ada' } })
    expect(await tryIt()).toEqual(
      expect.arrayContaining([
        { name: 'plan', value: '"pro"' },
        { name: 'given_name', value: '"Ada"' },
      ]),
    )
    expect(functions.questions).toHaveLength(1)
  })

  it('shows no claims of a hook that fails', async () => {
    functions.behave(misbehaviors['throws'] ?? (() => {}))
    expect(await tryIt()).toEqual([])
  })
})
