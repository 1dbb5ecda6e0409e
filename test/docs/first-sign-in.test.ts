import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as openid from 'openid-client'
import { afterAll, expect, it } from 'vitest'
import { createCookieBrowser } from '../package/cookie-browser.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { sectionOf } from './markdown.ts'
import { commandsOf } from './shell-commands.ts'
import { openSession } from './shell-session.ts'

/* The first sign-in of a product, as docs/integrate.md says it: register, send the user, get tokens about them. */

const page = 'docs/integrate.md'
const heading = 'Sign in with OpenID Connect'
const service = await useService()
const folder = mkdtempSync(join(tmpdir(), 'latchkey-first-sign-in-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('leads from the registration on the page to tokens with the name and the address of the user', async () => {
  const { text, blocks } = sectionOf(page, heading)
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { PATH = '' } = process.env
  const session = openSession(
    { url: service.url, printed: '', folder, environment: { PATH } },
    { URL: service.url, SESSION: admin.bearer },
  )
  const registration = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap((block) => commandsOf(block.text))
  expect(registration).toHaveLength(1)
  const read = ["CLIENT_ID='the client_id'", "CLIENT_SECRET='the client_secret'"].flatMap(commandsOf)
  for (const command of [...registration, ...read]) await session.run(command)
  const { CLIENT_ID = '', CLIENT_SECRET } = session.variables
  const [, redirectUri = ''] = /"redirect_uris":\["([^"]+)"\]/.exec(registration[0]?.text ?? '') ?? []
  const [, scope = ''] = /Ask for the scopes\s+`([^`]+)`/.exec(text) ?? []

  const config = await openid.discovery(new URL(service.url), CLIENT_ID, CLIENT_SECRET, undefined, {
    execute: [openid.allowInsecureRequests],
  })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const authorization = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const browser = createCookieBrowser()
  const signInPage = await browser.open(authorization.href)
  expect(signInPage.status).toBe(200)
  const person = await addPerson(service, { full_name: 'Maria Winkelmann', email: 'maria@example.com' })
  const { status } = await browser.send(`${service.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ username: person.user.username, password: person.password }),
  })
  expect(status).toBe(200)
  const back = await browser.send(
    new URL(signInPage.url.searchParams.get('return_to') ?? '', service.url).href,
  )
  const answer = new URL(back.headers.get('location') ?? '')
  expect(answer.href).toMatch(`${redirectUri}?code=`)
  const tokens = await openid.authorizationCodeGrant(config, answer, {
    pkceCodeVerifier,
    idTokenExpected: true,
  })
  const about = { sub: String(person.user.id), name: 'Maria Winkelmann', email: 'maria@example.com' }
  expect(tokens.claims()).toMatchObject(about)
  expect(await openid.fetchUserInfo(config, tokens.access_token, about.sub)).toMatchObject(about)
})
