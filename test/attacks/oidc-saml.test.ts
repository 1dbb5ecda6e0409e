import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { makeIdp } from '../support/idp.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  readRedirect,
  readReturnPath,
  refresh,
} from '../support/oidc.ts'
import { addProvider, sessionOf, signInByConnection, startSignIn } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

it('signs a user of an identity provider in again for prompt=login, and out of everything', async () => {
  const party = await addRelyingParty(service)
  const before = await signInByConnection(service, provider)
  const { challenge, verifier } = createPkce()
  const scope = 'openid offline_access'
  const query = buildAuthorization(party, challenge, { scope, prompt: 'login' })
  const started = await service.client('GET', `/oauth2/authorize?${query}`, { bearer: before.session })
  const page = new URL(started.headers.get('location') ?? '')
  const path = readReturnPath(started)
  const waiting = started.cookies.map((text) => text.split(';')[0])
  const resume = (session: string) =>
    service.client('GET', path, {
      headers: { cookie: [`__Host-latchkey=${session}`, ...waiting].join('; ') },
    })
  expect((await resume(before.session)).headers.get('location')).toBe(page.href)

  const { browser, target } = await startSignIn(service, provider, `?return_to=${encodeURIComponent(path)}`)
  const { form } = await provider.idp.answer(target, { times: { authenticated: 0 } })
  const session = sessionOf(await browser.post(target.acsUrl, form)) ?? ''
  const { code = '' } = readRedirect(await resume(session))
  const { body } = await exchangeCode(service, party, { code, verifier })
  expect(decodeJwt(body.id_token)).toMatchObject({ amr: ['saml'], acr: 'urn:latchkey:acr:single-factor' })

  const logout = `/oauth2/logout?${new URLSearchParams({ id_token_hint: body.id_token })}`
  expect((await service.client('GET', logout, { bearer: session })).status).toBe(303)
  expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(401)
  expect((await refresh(service, party, body.refresh_token)).body.error).toBe('invalid_grant')
})
