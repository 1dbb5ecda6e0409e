import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { findSamlConnection } from '../../lib/features/connections/saml/records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addSignedIn } from '../support/people.ts'
import { fixture, plainMetadata, signMetadata } from '../support/saml-metadata.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const server = closeAfterTests(await startMetadataServer())
const bearer: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const idp = await makeCertificate({ name: 'idp' })
const second = await makeCertificate({ name: 'second' })
const own = await makeCertificate({ name: 'own' })

const path = '/api/2/auth/saml'
const parse = (url: string) => service.client('POST', `${path}/parse-idp-metadata`, { bearer, body: { url } })
const refresh = (id: number, url = server.url) =>
  service.client('POST', `${path}/${id}/refresh-idp-metadata`, { bearer, body: { url } })
const readError = ({ status, body }: JsonValue): string => {
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' })
  expect(body.errors).toHaveLength(1)
  expect(body.errors[0].field).toBe('url')
  return body.errors[0].message
}
const addProvider = async (fields: object = {}): Promise<JsonValue> => {
  const body = {
    entity_id: `urn:idp:${randomUUID()}`,
    sso_url: 'https://idp.example.com/old',
    certificate: idp.pem,
    sp_certificate: own.pem,
    sp_certificate_key: own.keyPem,
    ...fields,
  }
  const answer = await service.client('POST', path, { bearer, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const providers = async (): Promise<number> => (await service.client('GET', `${path}?limit=1000`)).body.length

describe('parse_samlidp_metadata', () => {
  it('reads metadata and stores nothing', async () => {
    const before = await providers()
    server.serve(fixture('adfs', { signing: idp, signing2: second, other: own }))
    const answer = await parse(server.url)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      entity_id: 'http://adfs.example.com/adfs/services/trust',
      sso_url: 'https://adfs.example.com/adfs/ls/',
      slo_url: 'https://adfs.example.com/adfs/ls/',
      certificate: `${idp.pem}${second.pem}`,
    })
    expect(await providers()).toBe(before)
  })

  it('returns what a provider can be created from', async () => {
    server.serve(fixture('okta', { signing: idp, signing2: second, other: own }))
    const { body } = await parse(server.url)
    expect(body).not.toHaveProperty('slo_url')
    expect(await addProvider(body)).toMatchObject(body)
  })

  it('chooses from an aggregate by the fragment, which is not sent', async () => {
    server.serve(fixture('aggregate', { signing: idp, signing2: second, other: own }))
    expect(readError(await parse(server.url))).toContain(
      'https://idp.one.example.net/idp, urn:mace:two.example.net:idp',
    )
    const chosen = await parse(`${server.url}?all=1#urn:mace:two.example.net:idp`)
    expect(chosen.body).toMatchObject({ entity_id: 'urn:mace:two.example.net:idp', certificate: second.pem })
    expect(server.requests.at(-1)).toBe('/metadata?all=1')
  })

  it('accepts UTF-16 and compression', async () => {
    const text = `\ufeff<?xml version="1.0" encoding="utf-16"?>${plainMetadata({ certificates: [idp] })}`
    server.behave((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from(text, 'utf16le'))),
    )
    expect((await parse(server.url)).body.entity_id).toBe('https://idp.example.com/metadata')
  })

  it('reports what is wrong with the metadata', async () => {
    server.serve(fixture('post-only', { signing: idp, signing2: second, other: own }))
    expect(readError(await parse(server.url))).toContain('does not offer sign-in by HTTP-Redirect')
    server.serve('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')
    expect(readError(await parse(server.url))).toContain('document type declaration')
    server.serve('')
    expect(readError(await parse(server.url))).toContain('is not XML')
  })

  it('reports which step of the download failed, and nothing of the answer', async () => {
    server.behave((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/secret' }).end(),
    )
    const redirected = await parse(server.url)
    expect(redirected).toMatchObject({ status: 502, body: { code: 'upstream_failed', reason: 'redirect' } })
    expect(redirected.text).not.toMatch(/secret|169/)
    server.behave((_, response) => response.writeHead(500).end('secret'))
    const failed = await parse(server.url)
    expect(failed).toMatchObject({ status: 502, body: { reason: 'status' } })
    expect(failed.text).not.toMatch(/secret|500/)
    const closed = await parse('http://127.0.0.1:1/metadata')
    expect(closed).toMatchObject({ status: 502, body: { reason: 'connect' } })
    expect(closed.text).not.toContain('127.0.0.1')
  })

  it.each([
    ...[
      '',
      'localhost:9001',
      'file:///etc/passwd',
      'data:text/xml,<a/>',
      'http://idp.example.com/',
      'https://a@b.example/',
    ],
    ...['https://idp.example.com:8443/', 'http://10.0.0.1/', `https://idp.example.com/${'x'.repeat(2048)}`],
    'http://169.254.169.254/latest/meta-data/',
  ])('rejects %s without any request', async (url) => {
    expect(readError(await parse(url))).toMatch(/^must /)
  })

  it.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[fd00::1]/',
    'https://[::ffff:7f00:1]/',
    'https://0/',
  ])('rejects %s, which is not public', async (url) => {
    expect(readError(await parse(url))).toContain('not on the public internet')
  })

  it('checks the metadata of a stored provider against its known certificates', async () => {
    const { id, entity_id: entityId } = await addProvider()
    const metadata = plainMetadata({ entityId, certificates: [idp, second] })
    const said = { entity_id: entityId, sso_url: 'https://idp.example.com/sso' }
    server.serve(signMetadata(metadata, idp).replace('idp.example.com/sso', 'evil.example.com/sso'))
    expect(readError(await parse(server.url))).toContain('none of the certificates of the provider verifies')
    server.serve(signMetadata(metadata, second))
    expect(readError(await parse(server.url))).toContain('none of the certificates of the provider verifies')
    server.serve(signMetadata(metadata, idp))
    expect((await parse(server.url)).body).toMatchObject(said)
    // Unsigned metadata is accepted until a signed version was read.
    server.serve(metadata)
    expect((await parse(server.url)).body).toMatchObject(said)
    server.serve(signMetadata(metadata, idp))
    expect((await refresh(id)).status).toBe(200)
    server.serve(metadata)
    expect(readError(await parse(server.url))).toContain('without a signature, but it was signed before')
    const group = [metadata, plainMetadata({ entityId: 'urn:other', certificates: [own] })]
    server.serve(
      `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${group.join('')}</EntitiesDescriptor>`,
    )
    expect(readError(await parse(`${server.url}#${entityId}`))).toContain('without a signature')
    expect((await parse(`${server.url}#urn:other`)).body).toMatchObject({ entity_id: 'urn:other' })
  })

  it('accepts the metadata of a new provider with any signature', async () => {
    const metadata = plainMetadata({ entityId: `urn:new:${randomUUID()}`, certificates: [idp] })
    server.serve(signMetadata(metadata, second))
    expect((await parse(server.url)).status).toBe(200)
  })

  it('rejects a body without a URL', async () => {
    for (const body of [{}, { url: null }, { url: 1 }, { url: ['https://a.example'] }, { url: 'x', more: 1 }])
      expect((await service.client('POST', `${path}/parse-idp-metadata`, { bearer, body })).status).toBe(400)
  })
})

describe('refresh_samlidp_metadata', () => {
  it('stores the metadata and its address', async () => {
    const { id, entity_id } = await addProvider({ slo_url: 'https://idp.example.com/old-slo' })
    const sloUrl = 'https://idp.example.com/slo'
    server.serve(plainMetadata({ entityId: entity_id, certificates: [second, idp], sloUrl }))
    const answer = await refresh(id)
    const said = {
      entity_id,
      sso_url: 'https://idp.example.com/sso',
      slo_url: sloUrl,
      certificate: `${second.pem}${idp.pem}`,
    }
    expect(answer).toMatchObject({ status: 200, body: said })
    const shown = await service.client('GET', `${path}/${id}`, { bearer })
    expect(shown.body).toMatchObject({ ...said, metadata_url_source: server.url })
    const records = await readAuditItems(service.services.table)
    expect(records.map(({ event, target }) => `${event} ${target}`)).toContain(
      `saml_provider.refreshed ${id} sso_url slo_url certificate metadata_url_source`,
    )
    const { version } = (await findSamlConnection(service.services.table, id)) ?? {}
    expect((await refresh(id)).status).toBe(200)
    expect(await findSamlConnection(service.services.table, id)).toMatchObject({ version })
  })

  it('removes certificates that the metadata does not contain, and keeps a logout address that it omits', async () => {
    const { id, entity_id } = await addProvider({ slo_url: 'https://idp.example.com/slo' })
    server.serve(plainMetadata({ entityId: entity_id, certificates: [second] }))
    expect((await refresh(id)).body).not.toHaveProperty('slo_url')
    const { body } = await service.client('GET', `${path}/${id}`)
    expect(body).toMatchObject({ certificate: second.pem, slo_url: 'https://idp.example.com/slo' })
  })

  it('rejects metadata of another provider and changes nothing', async () => {
    const { id } = await addProvider()
    const before = await findSamlConnection(service.services.table, id)
    server.serve(plainMetadata({ entityId: 'urn:another', certificates: [idp] }))
    const answer = await refresh(id)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(answer.body.detail).toContain('entity ID')
    expect(await findSamlConnection(service.services.table, id)).toEqual(before)
  })

  it('finds the provider in an aggregate automatically', async () => {
    const { id, entity_id } = await addProvider()
    const group = [entity_id, 'urn:other'].map((entityId) => plainMetadata({ entityId, certificates: [idp] }))
    server.serve(
      `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${group.join('')}</EntitiesDescriptor>`,
    )
    expect((await refresh(id)).body).toMatchObject({ entity_id })
    expect((await refresh(id, `${server.url}#urn:other`)).status).toBe(409)
  })

  it('requires a signature by a known key once there was one', async () => {
    const { id, entity_id } = await addProvider()
    const metadata = plainMetadata({ entityId: entity_id, certificates: [idp, second] })
    server.serve(signMetadata(metadata, second))
    expect(readError(await refresh(id))).toContain('none of the certificates of the provider verifies')
    server.serve(signMetadata(metadata, idp).replace('idp.example.com/sso', 'evil.example.com/sso'))
    expect(readError(await refresh(id))).toContain('none of the certificates of the provider verifies')
    server.serve(signMetadata(metadata, idp))
    expect((await refresh(id)).status).toBe(200)
    // Now the second certificate is known as well.
    server.serve(signMetadata(metadata, second))
    expect((await refresh(id)).status).toBe(200)
    server.serve(metadata)
    expect(readError(await refresh(id))).toContain('without a signature, but it was signed before')
    await service.client('PATCH', `${path}/${id}`, { bearer, body: { metadata_url_source: null } })
    expect((await refresh(id)).status).toBe(200)
  })

  it('answers 404 for an unknown provider before any download', async () => {
    const before = server.requests.length
    expect((await refresh(2_147_483_647)).status).toBe(404)
    expect(server.requests).toHaveLength(before)
  })

  it('answers 409 after a concurrent change', async () => {
    const { id, entity_id } = await addProvider()
    server.behave(async (_, response) => {
      await service.client('PATCH', `${path}/${id}`, { bearer, body: { name: 'Changed concurrently' } })
      response.end(plainMetadata({ entityId: entity_id, certificates: [second] }))
    })
    expect((await refresh(id)).status).toBe(409)
    expect((await service.client('GET', `${path}/${id}`)).body).toMatchObject({
      name: 'Changed concurrently',
      certificate: idp.pem,
    })
  })
})
