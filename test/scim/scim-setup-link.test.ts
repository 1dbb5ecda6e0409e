import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { fixture } from '../support/saml-metadata.ts'
import { schemas } from '../support/scim.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { useService } from '../support/use-service.ts'

/* The administrator of a customer sets up the directory with a link, without an account. */

const service = await useService({ RATE_LIMITS: 'samlSetupChanges=1000/600' }, { sendsMail: false })
const dns = closeAfterTests(await startDnsServer())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)

/** A set-up link in the browser that opened it. */
interface Setup {
  readonly id: number
  readonly token: string
  readonly use: (rest?: string, fields?: object) => Promise<Answer>
}
const open = async ({ body }: Answer): Promise<Setup> => {
  const token = new URLSearchParams(new URL(body.url).hash.slice(1)).get('token') ?? ''
  const browser = new SetupBrowser(service)
  await browser.open(token)
  return { id: body.saml_provider, token, use: (rest, fields) => browser.use(token, rest, fields) }
}
const create = async (fields: object = { allows_directory: true }): Promise<Setup> =>
  open(await asAdmin('POST', 'auth/saml-setups', { name: 'Acme', ...fields }))
const replaceLink = async ({ id }: Setup, fields?: object): Promise<Setup> =>
  open(await asAdmin('POST', `auth/saml/${id}/setup-links`, fields))
const turnOn = async (setup: Setup): Promise<Setup> => {
  expect((await setup.use('/directory')).status).toBe(200)
  return setup
}
const createToken = async ({ use }: Setup): Promise<string> => {
  const { status, text, body } = await use('/directory/tokens')
  expect(status, text).toBe(201)
  return body.token
}
const finish = async ({ use }: Setup): Promise<Answer> => {
  const { signer } = await makeIdp()
  const xml = fixture('shibboleth', { signing: signer, signing2: signer, other: signer })
  const [, host = ''] = /entityID="https?:\/\/([^/"]+)/.exec(xml) ?? []
  await use('/metadata', { xml: xml.replaceAll(host, `${randomBytes(6).toString('hex')}.example`) })
  const domain = `${randomBytes(8).toString('hex')}.example`
  const { txt_name: name, txt_value: value } = (await use('/domains', { domain })).body.domains.at(-1)
  dns.answers.set(name, [Buffer.from(value)])
  const { shown } = (await use('/domains', { domain })).body
  const answer = await use('/finish', { shown })
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const sendPerson = (id: number, bearer: string) =>
  service.client('POST', `/scim/v2/${id}/Users`, {
    bearer,
    body: { schemas: [schemas.user], userName: `${randomUUID()}@example.com` },
  })
const stateOf = async (id: number) => (await asAdmin('GET', `auth/connections/${id}/scim`)).body

describe('a set-up link that includes the directory', () => {
  it('turns it on and creates a token, which works once the connection is live', async () => {
    const setup = await create()
    const base_url = expect.stringMatching(new RegExp(`/scim/v2/${setup.id}$`))
    expect((await setup.use()).body.directory).toEqual({ enabled: false, base_url })
    expect((await setup.use('/directory/tokens')).status).toBe(409)
    expect((await setup.use('/directory')).body.directory).toEqual({ enabled: true, base_url })
    expect((await setup.use('/directory')).status).toBe(200)
    const token = await createToken(setup)
    expect((await sendPerson(setup.id, token)).status).toBe(401)
    expect((await finish(setup)).body).toMatchObject({ is_finished: true, directory: { enabled: true } })
    expect((await sendPerson(setup.id, token)).status).toBe(201)
    expect(await stateOf(setup.id)).toMatchObject({
      enabled: true,
      creates_unknown_users: false,
      tokens: [{ created_by: admin.user.id }],
    })
  })

  it('is listed as one, and writes who did what with it', async () => {
    const setup = await turnOn(await create())
    await createToken(setup)
    const links = await asAdmin('GET', `auth/saml/${setup.id}/setup-links`)
    expect(links.body).toMatchObject([{ allows_directory: true, created_by: admin.user.id }])
    const { body: events } = await asAdmin('GET', 'auth/audit-events?limit=20')
    const written = events.map(({ event, target }: { event: string; target: string }) => [event, target])
    expect(written).toContainEqual(['scim.changed', String(setup.id)])
    expect(written).toContainEqual(['scim.token_created', expect.stringMatching(`^${setup.id} `)])
    expect(written).toContainEqual(['saml_setup.changed', expect.stringContaining('turned the directory on')])
  })

  it('keeps what an administrator set for the directory', async () => {
    const setup = await create()
    const settings = { match_to: 'external_id', match_attribute: 'oid', creates_unknown_users: true }
    const set = await asAdmin('PUT', `auth/connections/${setup.id}/scim`, { enabled: false, ...settings })
    expect(set.status, set.text).toBe(200)
    await turnOn(setup)
    expect(await stateOf(setup.id)).toMatchObject({ enabled: true, ...settings })
  })

  it('belongs to a connection of an organization, too', async () => {
    await asAdmin('PUT', 'organization-policy', { company_sign_in: 'always' })
    const { id } = await addOrganization(service, admin)
    const as = callAs(service, await addMember(service, admin, id, ['owner']))
    const brought = (fields: object) => as('POST', `organizations/${id}/sign-in`, fields)
    const oidc = { kind: 'oidc', issuer: 'https://idp.example.com', client_id: 'x', client_secret: 'x' }
    expect((await brought({ ...oidc, allows_directory: true })).body.errors).toMatchObject([
      { field: 'allows_directory' },
    ])
    const { body } = await brought({ kind: 'saml', allows_directory: true })
    const setup = await open({ body: { url: body.setup_url, saml_provider: body.id } } as Answer)
    await createToken(await turnOn(setup))
  })
})

describe('somebody who wants more of a link than it gives', () => {
  it('sets up no directory with a link that does not include it', async () => {
    for (const setup of [
      await create({}),
      await create({ allows_directory: false }),
      await replaceLink(await create()),
      await replaceLink(await create(), { allows_directory: false }),
    ]) {
      expect((await setup.use()).body.directory).toBeNull()
      expect((await setup.use('/directory')).status).toBe(403)
      expect((await setup.use('/directory/tokens')).status).toBe(403)
      // Also while an administrator has turned it on.
      await asAdmin('PUT', `auth/connections/${setup.id}/scim`, {
        ...{ enabled: true, match_to: 'user_name', match_attribute: null, creates_unknown_users: false },
      })
      expect((await setup.use('/directory/tokens')).status).toBe(403)
      expect((await stateOf(setup.id)).tokens).toEqual([])
    }
  })

  it.each(['revoked', 'replaced', 'finished', 'deleted'])(
    'does nothing with a link that was %s',
    async (end) => {
      const setup = await turnOn(await create())
      const links = `auth/saml/${setup.id}/setup-links`
      if (end === 'revoked')
        for (const { id } of (await asAdmin('GET', links)).body) await asAdmin('DELETE', `${links}/${id}`)
      if (end === 'replaced') await asAdmin('POST', links, { allows_directory: true })
      if (end === 'finished') await finish(setup)
      if (end === 'deleted') await asAdmin('DELETE', `auth/saml/${setup.id}`)
      for (const rest of ['/directory', '/directory/tokens'])
        expect((await setup.use(rest)).body.code).toBe('invalid_token')
    },
  )

  it('does nothing in another browser, and with the cookie or the token of another link', async () => {
    const [setup, other] = [await turnOn(await create()), await turnOn(await create())]
    const stranger = new SetupBrowser(service)
    for (const rest of ['/directory', '/directory/tokens']) {
      expect((await stranger.use(setup.token, rest)).body.reason).toBe('setup_browser')
      expect((await other.use(rest, { token: setup.token })).body.reason).toBe('setup_browser')
    }
    expect((await stateOf(setup.id)).tokens).toEqual([])
  })

  it('gets two tokens at most by a hundred requests at the same time', async () => {
    const setup = await turnOn(await create())
    const answers = await Promise.all(Array.from({ length: 100 }, () => setup.use('/directory/tokens')))
    const created = answers.filter(({ status }) => status === 201)
    expect(created.length).toBeLessThanOrEqual(2)
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([])
    for (let made = created.length; made < 2; made++) await createToken(setup)
    const refused = await setup.use('/directory/tokens')
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('2 tokens')])
    expect((await stateOf(setup.id)).tokens).toHaveLength(2)
  })

  it('leaves no token and no directory behind for the next holder', async () => {
    const first = await turnOn(await create())
    const tokens = [await createToken(first), await createToken(first)]
    const next = await replaceLink(first, { allows_directory: true })
    expect(await stateOf(first.id)).toMatchObject({ enabled: false, tokens: [] })
    await turnOn(next)
    const own = [await createToken(next), await createToken(next)]
    await finish(next)
    for (const token of tokens) expect((await sendPerson(first.id, token)).status).toBe(401)
    for (const token of own) expect((await sendPerson(first.id, token)).status).toBe(201)
  })

  it('leaves none behind for an administrator who takes the connection live, unlike their own', async () => {
    const setup = await turnOn(await create())
    const token = await createToken(setup)
    const own = (await asAdmin('POST', `auth/connections/${setup.id}/scim/tokens`)).body.token
    const { entityId, signer } = await makeIdp()
    const live = await asAdmin('POST', `auth/saml/${setup.id}/live`, {
      ...{ entity_id: entityId, sso_url: 'https://idp.example.com/sso', certificate: signer.pem },
    })
    expect(live.status, live.text).toBe(200)
    expect(await stateOf(setup.id)).toMatchObject({ enabled: false, tokens: [{}] })
    await asAdmin('PUT', `auth/connections/${setup.id}/scim`, {
      ...{ enabled: true, match_to: 'user_name', match_attribute: null, creates_unknown_users: false },
    })
    expect((await sendPerson(setup.id, token)).status).toBe(401)
    expect((await sendPerson(setup.id, own)).status).toBe(201)
  })

  it('leaves none behind, also if it is created while the link is replaced', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await turnOn(await create())
      await Promise.all([
        first.use('/directory/tokens'),
        asAdmin('POST', `auth/saml/${first.id}/setup-links`),
        first.use('/directory/tokens'),
      ])
      const links = await asAdmin('GET', `auth/saml/${first.id}/setup-links`)
      const isReplaced = (await first.use()).body.code === 'invalid_token'
      expect(links.body).toHaveLength(1)
      if (isReplaced) expect((await stateOf(first.id)).tokens).toEqual([])
    }
  })

  it('is refused for text that is no flag and for fields that do not exist', async () => {
    for (const value of ['true', 1, null, [], {}, 'x'.repeat(10_000)]) {
      const answer = await asAdmin('POST', 'auth/saml-setups', { name: 'Acme', allows_directory: value })
      expect(answer.body.errors, String(value)).toMatchObject([{ field: 'allows_directory' }])
    }
    const setup = await create({})
    for (const fields of [{ allows_directory: true }, { __proto__x: 1 }, { directory: { enabled: true } }])
      expect((await setup.use('/directory', fields)).status).toBe(400)
    for (const token of ['', 'x', 'lkx_', '__proto__', 'x'.repeat(256)])
      expect(
        (await service.client('POST', '/api/2/auth/saml-setup/directory', { body: { token } })).status,
      ).toBe(400)
  })
})
