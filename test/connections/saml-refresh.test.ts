import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionKey } from '../../lib/kernel/table/keys/keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { awaitMails } from '../support/await-mails.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { refreshConnections } from '../support/refresh-connections.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { useService } from '../support/use-service.ts'

const day = 24 * 60 * 60_000
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const server = closeAfterTests(await startMetadataServer())
const adminEmail = `admin-${randomUUID()}@example.com`
const bearer: string = (
  await addSignedIn(service, { permissions: ['system:admin-access'], email: adminEmail })
).bearer
await addPerson(service, { email: `plain-${randomUUID()}@example.com` })
const lasting = await makeCertificate({ days: { from: -1, to: 3650 } })
const run = () => refreshConnections(service)
beforeEach(() => {
  vi.useRealTimers()
})
afterAll(() => vi.useRealTimers())

const path = '/api/2/auth/saml'
const addProvider = async (fields: object = {}): Promise<JsonValue> => {
  const body = {
    entity_id: `urn:idp:${randomUUID()}`,
    sso_url: 'https://idp.example.com/sso',
    certificate: lasting.pem,
    sp_certificate: lasting.pem,
    sp_certificate_key: lasting.keyPem,
    ...fields,
  }
  const answer = await service.client('POST', path, { bearer, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const remove = (id: number) => service.client('DELETE', `${path}/${id}`, { bearer })
const recordsOf = async (id: number): Promise<string[]> => {
  const times = [0, 30, 60, 90].map((days) => Date.now() - days * day)
  const records = await readAuditItems(service.services.table, times)
  return records
    .filter(({ target }) => String(target).split(' ')[0] === String(id))
    .map(({ event, target, outcome, address }) => [event, target, outcome, address].join(' | '))
    .filter((text) => !text.includes('.created'))
}
const logged = (event: string): JsonValue[] =>
  service.log.filter((line) => line.includes(`"${event}"`)).map((line) => JSON.parse(line))

describe('the daily metadata refresh', () => {
  it('reads metadata from its stored address and adds new certificates beside the old ones', async () => {
    const next = await makeCertificate({ days: { from: -1, to: 3650 } })
    const provider = await addProvider({ metadata_url_source: server.url })
    server.serve(
      plainMetadata({
        entityId: provider.entity_id,
        certificates: [next],
        ssoUrl: 'https://idp.example.com/new',
      }),
    )
    expect(await run()).toMatchObject({ refreshed: 1, failed: 0 })
    const { body } = await service.client('GET', `${path}/${provider.id}`)
    expect(body).toMatchObject({
      certificate: `${next.pem}${lasting.pem}`,
      sso_url: 'https://idp.example.com/new',
    })
    expect(await recordsOf(provider.id)).toEqual([
      `saml_provider.refreshed | ${provider.id} sso_url certificate | succeeded | schedule`,
    ])
    await run()
    expect(await recordsOf(provider.id)).toHaveLength(1)
    await remove(provider.id)
  })

  it('skips providers without an address, and removes an old certificate when it expires', async () => {
    const over = await makeCertificate({ days: { from: -800, to: -1 } })
    const provider = await addProvider({
      metadata_url_source: server.url,
      certificate: `${over.pem}${lasting.pem}`,
    })
    const without = await addProvider()
    const next = await makeCertificate({ days: { from: -1, to: 3650 } })
    server.serve(plainMetadata({ entityId: provider.entity_id, certificates: [next] }))
    const before = server.requests.length
    expect(await run()).toMatchObject({ providers: 2, refreshed: 1, failed: 0 })
    expect(server.requests).toHaveLength(before + 1)
    const { body } = await service.client('GET', `${path}/${provider.id}`)
    expect(body.certificate).toBe(`${next.pem}${lasting.pem}`)
    await remove(provider.id)
    await remove(without.id)
  })

  it('reports an unreadable provider, keeps its data, and continues with the others', async () => {
    const broken = await addProvider({ metadata_url_source: 'http://127.0.0.1:1/metadata' })
    const stranger = await addProvider({ metadata_url_source: server.url })
    const sound = await addProvider({ metadata_url_source: `${server.url}?sound` })
    server.behave((request, response) =>
      response.end(
        plainMetadata({
          entityId: request.url?.endsWith('sound') ? sound.entity_id : 'urn:somebody-else',
          certificates: [lasting],
          ssoUrl: 'https://idp.example.com/refreshed',
        }),
      ),
    )
    expect(await run()).toMatchObject({ providers: 3, refreshed: 1, failed: 2 })
    expect(await recordsOf(broken.id)).toEqual([
      `saml_provider.refresh_failed | ${broken.id} | connect | schedule`,
    ])
    expect(await recordsOf(stranger.id)).toEqual([
      `saml_provider.refresh_failed | ${stranger.id} | conflict | schedule`,
    ])
    expect((await service.client('GET', `${path}/${stranger.id}`)).body.sso_url).toBe(
      'https://idp.example.com/sso',
    )
    expect((await service.client('GET', `${path}/${sound.id}`)).body.sso_url).toContain('refreshed')
    const lines = logged('saml_provider.refresh_failed')
    expect(lines.map(({ provider }) => provider).sort()).toEqual([broken.id, stranger.id].sort())
    for (const line of lines)
      expect(line).toMatchObject({
        SamlRefreshFailed: 1,
        _aws: { CloudWatchMetrics: [{ Namespace: 'Latchkey', Metrics: [{ Name: 'SamlRefreshFailed' }] }] },
      })
    for (const { id } of [broken, stranger, sound]) await remove(id)
  })

  it('covers very many providers', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => addProvider()))
    expect(await run()).toMatchObject({ providers: 20, refreshed: 0, failed: 0 })
    await Promise.all(many.map(({ id }) => remove(id)))
  })
})

describe('an expiring certificate', () => {
  const warnings = async (id: number) =>
    (await recordsOf(id)).filter((text) => text.startsWith('saml_provider.certificate_ending'))
  /** Runs the mailer until the outbox is empty. */
  const settled = async () => {
    await service.client('POST', '/api/2/auth/logout')
    await awaitMails(service)
  }

  it('causes one warning each at 60, 30 and 7 days, on either side', async () => {
    const theirs = await makeCertificate({ days: { from: -1, to: 80 } })
    const ours = await makeCertificate({ days: { from: -1, to: 100 } })
    const provider = await addProvider({
      name: 'Staff <b>',
      certificate: theirs.pem,
      sp_certificate: ours.pem,
      sp_certificate_key: ours.keyPem,
    })
    const { id } = provider
    const sentByDay: Record<number, string[]> = {}
    for (const days of [0, 19, 21, 22, 39, 41, 51, 60, 71, 72, 74, 79, 81, 94]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      vi.setSystemTime(Date.now() + days * day)
      const before = await warnings(id)
      // Each warning is sent once, however often and concurrently the refresh runs.
      await Promise.all([run(), run(), run()])
      await run()
      const after = await warnings(id)
      vi.useRealTimers()
      if (after.length > before.length)
        sentByDay[days] = after
          .filter((text) => !before.includes(text))
          .map((text) => text.split(' | ')[1] ?? '')
    }
    expect(sentByDay).toEqual({
      21: [`${id} idp 60`],
      41: [`${id} sp 60`],
      51: [`${id} idp 30`],
      71: [`${id} sp 30`],
      74: [`${id} idp 7`],
      94: [`${id} sp 7`],
    })
    const lines = logged('saml_provider.certificate_ending').filter((line) => line.provider === id)
    expect(lines).toHaveLength(6)
    expect(lines[0]).toMatchObject({ level: 'warn', side: 'idp', days: 60, SamlCertificateEnding: 1 })
    await settled()
    expect(service.mailbox.mailsTo(adminEmail)).toHaveLength(6)
    await remove(id)
  })

  it('is reported to administrators by email, and to no one else', async () => {
    const soon = await makeCertificate({ days: { from: -1, to: 20 } })
    const provider = await addProvider({ name: 'Staff <b>', certificate: soon.pem })
    const before = service.mailbox.mails.length
    await run()
    await settled()
    const mails = service.mailbox.mails.slice(before)
    expect(mails.flatMap(({ to }) => to)).toEqual([adminEmail])
    const [mail] = service.mailbox.mailsTo(adminEmail).slice(-1)
    expect(mail?.subject).toBe('A SAML certificate expires in 20 days – Latchkey')
    expect(mail?.text).toContain(`“Staff <b>” (ID ${provider.id})`)
    expect(mail?.html).not.toContain('<b>')
    expect(mail?.text).toContain(`${service.url}/admin#/connections/saml/${provider.id}`)
    expect(mail?.text).not.toContain('/api/')
    await run()
    await settled()
    expect(service.mailbox.mails).toHaveLength(before + 1)
    await remove(provider.id)
  })

  it.each([
    ['is no administrator', { permissions: [] }],
    ['is disabled', { is_enabled: false }],
  ])('is not reported to someone who %s when the email is sent', async (_, change) => {
    const soon = await makeCertificate({ days: { from: -1, to: 20 } })
    const provider = await addProvider({ certificate: soon.pem })
    const former = await addPerson(service, {
      permissions: ['system:admin-access'],
      email: `former-${randomUUID()}@example.com`,
    })
    const before = service.mailbox.mails.length
    await run()
    const path = `/api/2/users/${former.user.id}`
    expect((await service.client('PATCH', path, { bearer, body: change })).status).toBe(200)
    await settled()
    const warned = service.mailbox.mails
      .slice(before)
      .filter(({ text }) => text.includes(`ID ${provider.id}`))
    expect(warned.map(({ to }) => to)).toEqual([[adminEmail]])
    await remove(provider.id)
  })

  it('causes only the most urgent warning if it is noticed late, and none after its expiry', async () => {
    const soon = await makeCertificate({ days: { from: -1, to: 5 } })
    const over = await makeCertificate({ days: { from: -10, to: -1 } })
    const { id } = await addProvider({ certificate: `${soon.pem}${over.pem}` })
    await run()
    expect(await warnings(id)).toEqual([
      `saml_provider.certificate_ending | ${id} idp 7 | succeeded | schedule`,
    ])
    await remove(id)
  })

  it('of a provider that is deleted concurrently causes no error', async () => {
    const soon = await makeCertificate({ days: { from: -1, to: 20 } })
    const { id } = await addProvider({ certificate: soon.pem })
    await run()
    const before = service.mailbox.mails.length
    await service.services.table.transact([{ delete: connectionKey(id) }])
    await settled()
    expect(service.mailbox.mails).toHaveLength(before)
    expect(logged('mail.failed')).toEqual([])
    expect((await run()).failed).toBe(0)
  })
})
