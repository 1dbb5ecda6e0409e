import { expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import { addConnection, openCallback, startUpstream } from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider, sessionOf, startSignIn } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * Anyone can start a sign-in and forge its answer, so refused answers are limited until the identity provider proved who signs in.
 * Whom it proved is refused by name: each time leaves its event, and no attacker of the same network uses up the limit.
 */

const most = 4
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: `refusedAnswers=${most}/3600, samlStarts=1000/60`,
})
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
const [idp, forger] = [await makeIdp(), await makeIdp()]
const openSaml = await addProvider(service, idp)
const openOidc = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
const closedOidc = await addConnection(service, bearer, upstream.issuer, { name: 'Closed' })
const closedIdp = await makeIdp()
const closedSaml = await addProvider(service, closedIdp, { auto_create_users: false })

const answerSaml = async (provider: typeof closedSaml, by: typeof idp): Promise<Answer> => {
  const { browser, target } = await startSignIn(service, provider)
  return browser.post(target.acsUrl, (await by.answer(target)).form)
}
const answerOidc = async (connection: typeof openOidc, isForged: boolean): Promise<Answer> => {
  const { browser, location } = await connection.start(new TestBrowser(service))
  const answer = upstream.authorize(location, { sub: 'ada' })
  if (isForged) answer.searchParams.set('code', 'forged')
  return openCallback(browser, answer)
}

const countRefusals = async (target: string): Promise<number> => {
  const { body } = await service.client('GET', '/api/2/auth/audit-events?limit=1000', { bearer })
  return body.filter(
    (event: { event: string; target: string | null }) =>
      event.event === 'login.failed' && event.target === target,
  ).length
}

it.each([
  ['SAML', () => answerSaml(closedSaml, closedIdp), `saml:${closedSaml.id}`],
  ['OpenID Connect', () => answerOidc(closedOidc, false), `oidc:${closedOidc.id}`],
])(
  'of %s are an event each, without a limit, if the provider proved who signs in',
  async (_, answer, target) => {
    for (let at = 1; at <= most + 2; at++) {
      expect((await answer()).status).toBe(403)
      expect(await countRefusals(target)).toBe(at)
    }
  },
)

it('that are forged are one event for each connection, then 429, and good answers are served', async () => {
  const forge = [() => answerSaml(openSaml, forger), () => answerOidc(openOidc, true)]
  const statuses: number[] = []
  for (let at = 0; at < most / 2; at++) for (const send of forge) statuses.push((await send()).status)
  expect(statuses).toEqual(Array.from({ length: most }, () => 401))
  expect(await countRefusals(`saml:${openSaml.id}`)).toBe(1)
  expect(await countRefusals(`oidc:${openOidc.id}`)).toBe(1)
  for (const send of forge) expect((await send()).status).toBe(429)
  expect(sessionOf(await answerSaml(openSaml, idp))).toBeDefined()
  expect(sessionOf(await answerOidc(openOidc, false))).toBeDefined()
})
