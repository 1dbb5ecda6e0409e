import { describe, expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { foreignAddresses } from '../support/return-addresses.ts'
import { useService } from '../support/use-service.ts'

/* The page that people sign in on must not lead them, or their tickets, to an address that an attacker chose. */

const publicUrl = 'https://auth.example.com'
const product = 'https://media.example.com'
const path = '/api/2/auth/continue'
const service = await useService({ PUBLIC_URL: publicUrl, ALLOWED_ORIGINS: product })
const ada = await addSignedIn(service)

/** Sends the address to both operations. */
const sendBoth = async (returnTo: string) => [
  await service.client('GET', `${path}?return_to=${encodeURIComponent(returnTo)}`),
  await service.client('POST', path, { bearer: ada.bearer, body: { return_to: returnTo } }),
]

const label = (text: string): [string, string] => [JSON.stringify(text).slice(0, 60), text]

describe('an address of another site', () => {
  it.each(foreignAddresses.map(label))('%s is refused', async (_, returnTo) => {
    for (const answer of await sendBoth(returnTo)) {
      expectPlainRefusal(answer, returnTo)
      expect(answer.status).toBe(400)
      expect(answer.text).not.toContain('lkt_')
    }
  })

  it('is refused within an array, an object or a repeated field', async () => {
    for (const returnTo of [['https://evil.example/'], { href: '/' }, null, 5, true]) {
      const body = { return_to: returnTo }
      expect((await service.client('POST', path, { bearer: ada.bearer, body })).status).toBe(400)
    }
    const raw = '{"return_to":"/","return_to":"https://evil.example/"}'
    expect((await service.client('POST', path, { bearer: ada.bearer, raw })).status).toBe(400)
  })
})

// A script of the page navigates, so browsers count the request as one of this service.
describe('an operation of this service', () => {
  it.each(
    [
      '/api/2/auth/logout',
      '/api/2/auth/saml/1/sso?link=true',
      `${publicUrl}/api/2/auth/logout`,
      '/API/2/auth/logout',
      '/%61pi/2/auth/logout',
      '/%2561pi/2/auth/logout',
      '/x/../api/2/auth/logout',
      '/x/%2e%2e/api/2/auth/logout',
      '/x%2f..%2fapi/2/auth/logout',
      '/%2fapi/2/auth/logout',
      '/.//api/2/auth/logout',
      '/x/..//api/2/auth/logout',
      '/%5capi/2/auth/logout',
      '/api%2f2/auth/logout',
      '/api%5c2/auth/logout',
      '/api;x/2/auth/logout',
      '/%00api/2/auth/logout',
      '/%ff',
      '/api',
    ].map(label),
  )('%s is refused', async (_, returnTo) => {
    for (const answer of await sendBoth(returnTo)) expect([returnTo, answer.status]).toEqual([returnTo, 400])
  })

  it('is not mixed up with pages of similar names, or with an API of a product', async () => {
    for (const returnTo of [
      '/apis',
      '/app/api/x',
      '/caf%C3%A9',
      '/?next=/api/2/auth/logout',
      `${product}/api/2/x`,
    ])
      expect((await sendBoth(returnTo)).map(({ status }) => status)).toEqual([200, 200])
  })
})
