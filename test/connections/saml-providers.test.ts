import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildConnectionSessionSteps } from '../../lib/accounts/sessions/session-index.records.ts'
import type { SessionRecord } from '../../lib/accounts/sessions/stored-session.records.ts'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { getKeyFingerprint, readCertificates } from '../../lib/features/connections/saml/certificates.ts'
import { findSamlConnection } from '../../lib/features/connections/saml/records.ts'
import { loadDecryptionKeys, loadSigningKey } from '../../lib/features/connections/saml/sp-keys.ts'
import type { UserTemplateRecord } from '../../lib/features/directory/templates/templates.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { connectionFlowKey } from '../../lib/kernel/table/keys/connection-keys.ts'
import { connectionKey, userTemplateKey } from '../../lib/kernel/table/keys/keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import { findNextPath } from '../support/next-page.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin: Person & { readonly bearer: string } = await addSignedIn(service, {
  permissions: ['system:admin-access'],
})
const idp = await makeCertificate({ name: 'idp' })
const own = await makeCertificate({ name: 'own' })

const path = '/api/2/auth/saml'
const minimum = () => ({
  entity_id: `urn:idp:${randomUUID()}`,
  sso_url: 'https://idp.example.com/sso',
  certificate: idp.pem,
})
/** With a given key pair, because generating one is slow. */
const given = () => ({ ...minimum(), sp_certificate: own.pem, sp_certificate_key: own.keyPem })
const create = (body: object) => service.client('POST', path, { bearer: admin.bearer, body })
const created = async (body: object = given()): Promise<JsonValue> => {
  const answer = await create(body)
  expect({ status: answer.status, text: answer.status === 201 ? '' : answer.text }).toEqual({
    status: 201,
    text: '',
  })
  return answer.body
}
const read = async (id: number, bearer?: string) =>
  (await service.client('GET', `${path}/${id}`, bearer === undefined ? {} : { bearer })).body
const put = (id: number, body: object) =>
  service.client('PUT', `${path}/${id}`, { bearer: admin.bearer, body })
const patch = (id: number, body: object) =>
  service.client('PATCH', `${path}/${id}`, { bearer: admin.bearer, body })
const readErrors = async (answer: ReturnType<typeof create>): Promise<Record<string, string>> => {
  const { status, body, text } = await answer
  expect({ status, code: body?.code }, text).toEqual({ status: 400, code: 'invalid_request' })
  expect(body.errors.length).toBeGreaterThan(0)
  return Object.fromEntries(body.errors.map(({ field, message }: JsonValue) => [field, message]))
}
const stored = async (id: number) => {
  const provider = await findSamlConnection(service.services.table, id)
  if (!provider) throw new Error('the provider does not exist')
  return provider
}
const putTemplate = (id: number) => {
  const template: UserTemplateRecord = {
    id,
    name: `template ${id}`,
    normalizedName: `template ${id}`,
    version: 1,
    permissions: [],
    groups: [],
    language: null,
    default_page: '/',
    is_external: false,
  }
  return service.services.table.put({ ...userTemplateKey(id), ...template })
}
const recordsOf = async (id: number) =>
  (await readAuditItems(service.services.table))
    .filter((record) => String(record['target']).split(' ')[0] === String(id))
    .filter((record) => String(record['event']).startsWith('saml_provider'))
    .map((record) => [record['event'], record['target'], record['actor']])

/** Every field that anyone may see. Adding one must be a decision. */
const openFields = [
  'assertion_url',
  'auto_create_groups',
  'auto_create_users',
  'auto_sync_groups',
  'certificate',
  'disabled_in_client',
  'entity_id',
  'id',
  'login_url',
  'logout_url',
  'metadata_url',
  'name',
  'nameid_format',
  'slo_url',
  'sp_certificate',
  'sp_certificate_key',
  'sso_url',
  'user_template',
]

describe('create_saml_provider', () => {
  it('accepts a minimal body and generates a key pair', async () => {
    const body = minimum()
    const made = await create(body)
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(made.headers.get('location')).toBe(`${path}/${id}`)
    const [certificate] = readCertificates(made.body.sp_certificate).certificates
    expect(certificate?.x509.publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072)
    const years = ((certificate?.endsAt ?? 0) - Date.now()) / (365 * 24 * 60 * 60_000)
    expect(years).toBeGreaterThan(9.9)
    expect(years).toBeLessThan(10.1)
    expect(made.body).toEqual({
      id,
      name: body.entity_id,
      disabled_in_client: false,
      login_url: `${service.url}${path}/${id}/sso`,
      logout_url: `${service.url}${path}/${id}/sls`,
      metadata_url: `${service.url}${path}/${id}/metadata`,
      assertion_url: `${service.url}${path}/${id}/assertion`,
      ...body,
      slo_url: null,
      sp_certificate: certificate?.pem,
      sp_certificate_key: '********',
      nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      auto_create_users: false,
      auto_create_groups: false,
      auto_sync_groups: false,
      user_template: null,
      nameid_attribute: null,
      metadata_url_source: null,
      allowed_groups: null,
      required_for_domains: false,
      exempt_users: [],
      organization_id: null,
      default_organization_roles: null,
      attribute_mapping: { username_from: null, email_from: null, full_name_from: null, groups_from: null },
      required_authn_contexts: [],
      multi_factor_authn_contexts: [],
      domains: [],
      awaits_approval: false,
      proposed_metadata_url: null,
      certificate_fingerprints: readCertificates(body.certificate).certificates.map(
        ({ x509 }) => x509.fingerprint256,
      ),
    })
    const key = await loadSigningKey(service.services, await stored(id))
    expect(key && certificate?.x509.checkPrivateKey(key)).toBe(true)
  })

  it('accepts all fields', async () => {
    await putTemplate(71)
    const body = {
      ...given(),
      name: 'Staff',
      disabled_in_client: true,
      slo_url: 'https://idp.example.com/slo',
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      auto_create_users: true,
      auto_create_groups: true,
      auto_sync_groups: true,
      user_template: 71,
      nameid_attribute: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6',
      allowed_groups: ['staff-*', 'Editors'],
      metadata_url_source: 'https://idp.example.com/metadata',
    }
    expect(await created(body)).toMatchObject({ ...body, sp_certificate_key: '********' })
  })

  it('ignores read-only fields', async () => {
    const made = await created({
      ...given(),
      id: 999_999,
      login_url: 'https://evil.example',
      metadata_url: null,
    })
    expect(made.id).not.toBe(999_999)
    expect(made.login_url).toBe(`${service.url}${path}/${made.id}/sso`)
  })

  it('assigns ids in order and never again', async () => {
    const [first, second] = [await created(), await created()]
    // A block of IDs ends after a second, so some may be left out.
    expect(second.id).toBeGreaterThan(first.id)
    await service.client('DELETE', `${path}/${second.id}`, { bearer: admin.bearer })
    expect((await created()).id).toBeGreaterThan(second.id)
  })

  it('accepts an entity ID once, even concurrently', async () => {
    const body = given()
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)])
    const refused = await create(body)
    expect(refused.body).toMatchObject({
      code: 'conflict',
      detail: 'Another provider already uses this entity ID.',
    })
    expect(
      answers.filter(({ status }) => status === 409).every(({ body: { code } }) => code === 'conflict'),
    ).toBe(true)
  })

  it('treats entity IDs that differ in case as different', async () => {
    const body = given()
    await created(body)
    await created({ ...body, entity_id: body.entity_id.toUpperCase() })
  })

  it('is audited', async () => {
    const { id } = await created()
    expect(await recordsOf(id)).toEqual([['saml_provider.created', String(id), admin.user.id]])
  })

  it('reports every invalid field at once', async () => {
    const errors = await readErrors(
      create({
        entity_id: 'urn:x\u0000',
        name: ' padded ',
        sso_url: 'http://idp.example.com/',
        slo_url: 'javascript:alert(1)',
        certificate: 'nonsense',
        sp_certificate: 'nonsense',
        sp_certificate_key: 'nonsense',
        user_template: 4711,
        nameid_attribute: ' uid',
        metadata_url_source: 'file:///etc/passwd',
      }),
    )
    expect(errors).toEqual({
      entity_id: 'must not contain control or invisible characters',
      name: 'must not start or end with whitespace',
      sso_url: 'must start with https://, or with http:// for this machine',
      slo_url: 'must start with https://, or with http:// for this machine',
      certificate: 'contains a certificate that cannot be read',
      sp_certificate: 'contains a certificate that cannot be read',
      sp_certificate_key: 'must be a private key as PEM',
      user_template: 'is not the ID of a user template',
      nameid_attribute: 'must not start or end with whitespace',
      metadata_url_source: 'must start with https://',
    })
  })

  it.each<[object, string]>([
    [{ entity_id: '' }, 'entity_id'],
    [{ entity_id: 'x'.repeat(256) }, 'entity_id'],
    [{ entity_id: null }, 'entity_id'],
    [{ entity_id: ['urn:x'] }, 'entity_id'],
    [{ sso_url: '' }, 'sso_url'],
    [{ sso_url: 'https://user:pass@idp.example.com/' }, 'sso_url'],
    [{ sso_url: `https://idp.example.com/${'x'.repeat(255)}` }, 'sso_url'],
    [{ slo_url: '/slo' }, 'slo_url'],
    [{ certificate: '' }, 'certificate'],
    [{ certificate: null }, 'certificate'],
    [{ name: '' }, 'name'],
    [{ nameid_format: 'urn:x' }, 'nameid_format'],
    [{ user_template: 0 }, 'user_template'],
    [{ user_template: '1' }, 'user_template'],
    [{ auto_create_users: 'true' }, 'auto_create_users'],
    [{ is_admin: true }, 'is_admin'],
    [{ nameid_attribute: 'x'.repeat(256) }, 'nameid_attribute'],
    [{ nameid_attribute: 'u\u0000id' }, 'nameid_attribute'],
    [{ nameid_attribute: ['uid'] }, 'nameid_attribute'],
    [{ metadata_url_source: `https://a.example/${'x'.repeat(2048)}` }, 'metadata_url_source'],
  ])('rejects %j', async (change, field) => {
    expect(Object.keys(await readErrors(create({ ...given(), ...change })))).toEqual([field])
  })

  it('accepts http to the loopback address if the service itself runs there', async () => {
    expect(await created({ ...given(), sso_url: 'http://localhost:8080/sso', slo_url: '' })).toMatchObject({
      sso_url: 'http://localhost:8080/sso',
      slo_url: null,
    })
  })
})

describe('a provider certificate', () => {
  const withCertificate = (certificate: string) => create({ ...given(), certificate })

  it('may be PEM or bare base64, one or several, in any layout', async () => {
    const second = await makeCertificate({ curve: 'P-256' })
    const bare = (text: string) => text.replaceAll(/-----[A-Z ]+-----/g, '').trim()
    // Exactly as it was sent, so that clients can compare.
    for (const certificate of [
      idp.pem,
      idp.pem.trim(),
      idp.pem.replaceAll('\n', '\r\n'),
      `\n${idp.pem}\n\n${second.pem}`,
      idp.base64,
      bare(idp.pem),
      `${idp.base64}${second.base64}`,
      `${bare(idp.pem)}\n\n${bare(second.pem)}`,
      `${idp.base64},${second.base64}`,
    ])
      expect((await created({ ...given(), certificate })).certificate).toBe(certificate)
  })

  it('is accepted when it is expired, with a warning in the log', async () => {
    const expired = await makeCertificate({ days: { from: -800, to: -1 } })
    const { id } = await created({ ...given(), certificate: expired.pem })
    const lines = service.log.filter((line) => line.includes('saml_provider.certificate_expired'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', provider: id, field: 'certificate' },
    ])
  })

  it('is rejected by position when it is too weak or not a certificate', async () => {
    const weak = await makeCertificate({ bits: 1024 })
    const truncated = Buffer.from(idp.base64, 'base64').subarray(0, 400).toString('base64')
    const cases: readonly (readonly [string, string])[] = [
      [weak.pem, 'contains a certificate whose key must have 2048 to 8192 bits'],
      [`${idp.pem}${weak.pem}`, 'contains a certificate 2 whose key must have 2048 to 8192 bits'],
      [
        `${idp.pem}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
        'contains a certificate 2 that cannot be read',
      ],
      [truncated, 'contains a certificate that cannot be read'],
      [`${idp.base64}AAAA`, 'contains a certificate 2 that cannot be read'],
      ['hello', 'contains a certificate that cannot be read'],
      ['<xml/>', 'must be a certificate as PEM or base64'],
      ['  ', 'must be a certificate as PEM or base64'],
      [`subject=CN = idp\n${idp.pem}`, 'must contain only certificates'],
      [`${idp.pem}${own.keyPem}`, 'remove the private key'],
      [idp.pem.repeat(21), 'must contain at most 20 certificates'],
      ['A'.repeat(60_000), 'contains a certificate that cannot be read'],
    ]
    for (const [certificate, message] of cases)
      expect(
        (await readErrors(withCertificate(certificate)))['certificate'],
        certificate.slice(0, 40),
      ).toContain(message)
  })
})

describe('the service’s own key pair', () => {
  it('is accepted in every key format when key and certificate match', async () => {
    const pkcs1 = (await import('node:crypto'))
      .createPrivateKey(own.keyPem)
      .export({ type: 'pkcs1', format: 'pem' })
      .toString()
    const bare = own.keyPem.replaceAll(/-----[A-Z ]+-----|\s/g, '')
    for (const sp_certificate_key of [own.keyPem, own.keyPem.replaceAll('\n', '\r\n'), pkcs1, bare]) {
      const { id } = await created({ ...given(), sp_certificate_key })
      const key = await loadSigningKey(service.services, await stored(id))
      expect(key?.export({ type: 'pkcs8', format: 'pem' })).toBe(own.keyPem)
    }
  })

  it('is rejected when it does not match or is incomplete, without revealing the key', async () => {
    const other = await makeCertificate()
    const elliptic = await makeCertificate({ curve: 'P-256' })
    const locked = (await import('node:crypto'))
      .createPrivateKey(own.keyPem)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString()
    const pair = (sp_certificate: unknown, sp_certificate_key?: unknown) => ({
      ...minimum(),
      sp_certificate,
      ...(sp_certificate_key === undefined ? {} : { sp_certificate_key }),
    })
    const cases: readonly (readonly [object, string, string])[] = [
      [pair(own.pem, other.keyPem), 'sp_certificate_key', 'must be the private key of `sp_certificate`'],
      [pair(own.pem), 'sp_certificate_key', 'is required with `sp_certificate`'],
      [pair(own.pem, '********'), 'sp_certificate_key', 'is required with `sp_certificate`'],
      [pair(null, own.keyPem), 'sp_certificate', 'is required with `sp_certificate_key`'],
      [{ ...minimum(), sp_certificate_key: own.keyPem }, 'sp_certificate', 'is required with'],
      [pair(elliptic.pem, elliptic.keyPem), 'sp_certificate_key', 'must be an RSA key'],
      [pair(own.pem, locked), 'sp_certificate_key', 'must not be protected by a passphrase'],
      [pair(own.pem, ' '), 'sp_certificate_key', 'must be a private key as PEM'],
      [pair('', own.keyPem), 'sp_certificate', 'is required with `sp_certificate_key`'],
      [pair(own.pem, own.pem), 'sp_certificate_key', 'must be a private key as PEM'],
      [pair(own.pem, own.keyPem.slice(0, 400)), 'sp_certificate_key', 'must be a private key as PEM'],
    ]
    for (const [body, field, message] of cases) {
      const answer = await create(body)
      expect((await readErrors(Promise.resolve(answer)))[field]).toContain(message)
      expect(answer.text).not.toContain(own.keyPem.slice(60, 100))
    }
  })

  it('is optional', async () => {
    const none = await created({ ...minimum(), sp_certificate: null, sp_certificate_key: null })
    expect(none).toMatchObject({ sp_certificate: null, sp_certificate_key: null })
    // Forms send an empty text for a field without a value.
    const empty = { sp_certificate: '', sp_certificate_key: '', slo_url: '' }
    const blank = await created({ ...minimum(), ...empty })
    expect(blank).toMatchObject({ sp_certificate: null, sp_certificate_key: null, slo_url: null })
    expect(await created({ ...minimum(), sp_certificate: '' })).toMatchObject({ sp_certificate: null })
    for (const clear of [patch, put]) {
      const full = await created(given())
      const cleared = await clear(full.id, { ...full, ...empty })
      expect([cleared.status, cleared.body.sp_certificate, cleared.body.sp_certificate_key]).toEqual([
        200,
        null,
        null,
      ])
    }
    const half = await created({ ...minimum(), sp_certificate: own.pem, sp_certificate_key: null })
    expect(half).toMatchObject({ sp_certificate: own.pem, sp_certificate_key: null })
  })

  it('is stored encrypted for its provider only', async () => {
    const { id } = await created()
    const item = await service.services.table.get(connectionKey(id))
    const text = JSON.stringify(item)
    expect(text).not.toContain(own.keyPem.slice(60, 100))
    const key = (await stored(id)).spCertificateKey
    const { vault } = service.services
    const opened = await vault.decrypt(key?.cipher ?? '', { purpose: 'connection', provider: String(id) })
    expect(own.keyPem.replaceAll('\n', '')).toContain(opened)
    await expect(
      vault.decrypt(key?.cipher ?? '', { purpose: 'connection', provider: String(id + 1) }),
    ).rejects.toThrow()
  })
})

describe('reading SAML providers', () => {
  it('is public and returns exactly these fields', async () => {
    const made = await created({
      ...given(),
      nameid_attribute: 'secret-attribute',
      metadata_url_source: 'https://idp.example.com/secret-metadata',
    })
    const shown = await read(made.id)
    expect(Object.keys(shown).sort()).toEqual(openFields)
    const { body: list, text } = await service.client('GET', `${path}?limit=1000`)
    for (const one of list) expect(Object.keys(one).sort()).toEqual(openFields)
    expect(text).not.toMatch(/secret-(?:metadata|attribute)/)
    expect(text).not.toMatch(/PRIVATE|cipher|local\.|fingerprint/)
    const plain = await addSignedIn(service)
    expect(Object.keys(await read(made.id, plain.bearer)).sort()).toEqual(openFields)
    expect(Object.keys(await read(made.id, 'lks_nonsense')).sort()).toEqual(openFields)
    expect(Object.keys(await read(made.id, admin.bearer)).sort()).toEqual(
      [
        ...[...openFields, 'allowed_groups', 'domains', 'exempt_users', 'metadata_url_source'],
        ...['attribute_mapping', 'required_authn_contexts', 'multi_factor_authn_contexts'],
        ...['nameid_attribute', 'required_for_domains'],
        ...['proposed_metadata_url', 'certificate_fingerprints'],
        ...['organization_id', 'default_organization_roles', 'awaits_approval'],
      ].sort(),
    )
  })

  it('answers 404 for an unknown id', async () => {
    expect((await service.client('GET', `${path}/2147483647`)).status).toBe(404)
    for (const id of ['0', '-1', '1e3', '2147483648', 'x', '01', '%31x'])
      expect((await service.client('GET', `${path}/${id}`)).status).toBe(400)
  })

  it('lists by id and by name, in both directions, page by page', async () => {
    const tag = randomUUID()
    const names = ['Übel', 'alpha', 'Beta', 'alpha'].map((name) => `${tag} ${name}`)
    const ids: number[] = []
    for (const name of names) ids.push((await created({ ...given(), name })).id)
    const walk = async (query: string): Promise<JsonValue[]> => {
      const rows: JsonValue[] = []
      for (let next: string | undefined = `${path}?limit=2&${query}`; next; ) {
        const answer = await service.client('GET', next)
        expect(answer.status).toBe(200)
        expect(answer.body.length).toBeLessThanOrEqual(2)
        rows.push(...answer.body)
        next = findNextPath(answer.headers)
      }
      return rows.filter(({ name }) => name.startsWith(tag))
    }
    const getIds = (rows: JsonValue[]) => rows.map(({ id }) => id)
    const [one, two, three, four] = ids
    expect(getIds(await walk('ordering=id'))).toEqual([one, two, three, four])
    expect(getIds(await walk('ordering=-id'))).toEqual([four, three, two, one])
    expect(getIds(await walk('ordering=name'))).toEqual([two, four, three, one])
    expect(getIds(await walk('ordering=-name'))).toEqual([one, three, four, two])
    await patch(one ?? 0, { name: `${tag} aa` })
    expect(getIds(await walk('ordering=name'))).toEqual([one, two, four, three])
    await service.client('DELETE', `${path}/${two}`, { bearer: admin.bearer })
    expect(getIds(await walk('ordering=name'))).toEqual([one, four, three])
    for (const query of [
      'ordering=certificate',
      'ordering=sp_certificate_key',
      'limit=0',
      'limit=1001',
      'offset=-1',
      'x=1',
      'cursor=x',
    ])
      expect((await service.client('GET', `${path}?${query}`)).status).toBe(400)
  })
})

describe('updating a SAML provider', () => {
  it('with a body that was read changes nothing and keeps the key', async () => {
    const made = await created({
      ...given(),
      nameid_attribute: 'uid',
      metadata_url_source: 'https://idp.example.com/metadata',
    })
    const before = await stored(made.id)
    for (const bearer of [undefined, admin.bearer]) {
      const shown = await read(made.id, bearer)
      const answer = await put(made.id, shown)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject(shown)
      expect((await patch(made.id, shown)).status).toBe(200)
      expect(await stored(made.id)).toEqual(before)
    }
    expect(await recordsOf(made.id)).toHaveLength(1)
  })

  it('by PUT resets omitted fields, but not the key pair and the administrators’ own fields', async () => {
    const made = await created({
      ...given(),
      name: 'Named',
      slo_url: 'https://idp.example.com/slo',
      auto_sync_groups: true,
      nameid_attribute: 'uid',
      metadata_url_source: 'https://idp.example.com/metadata',
    })
    const next = minimum()
    const answer = await put(made.id, next)
    expect(answer.body).toMatchObject({
      ...next,
      name: next.entity_id,
      slo_url: null,
      auto_sync_groups: false,
      sp_certificate: own.pem,
      sp_certificate_key: '********',
      nameid_attribute: 'uid',
      metadata_url_source: 'https://idp.example.com/metadata',
    })
    expect(await recordsOf(made.id)).toContainEqual([
      'saml_provider.changed',
      `${made.id} auto_sync_groups entity_id name slo_url`,
      admin.user.id,
    ])
  })

  it('by PATCH keeps omitted fields', async () => {
    const made = await created({ ...given(), name: 'Named', slo_url: 'https://idp.example.com/slo' })
    const answer = await patch(made.id, { sso_url: 'https://idp.example.com/new' })
    expect(answer.body).toEqual({ ...made, sso_url: 'https://idp.example.com/new' })
    expect((await patch(made.id, {})).body).toEqual(answer.body)
    expect((await patch(made.id, { metadata_url_source: null, slo_url: null })).body).toMatchObject({
      metadata_url_source: null,
      slo_url: null,
    })
    expect((await patch(made.id, { nameid_attribute: 'uid' })).body.nameid_attribute).toBe('uid')
    for (const none of ['', null])
      expect((await patch(made.id, { nameid_attribute: none })).body.nameid_attribute).toBeNull()
  })

  it('to transient names is accepted, with a warning unless an attribute identifies users', async () => {
    const nameid_format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    const { id } = await created({ ...given(), nameid_format, nameid_attribute: 'uid' })
    const warnings = () =>
      service.log
        .filter((line) => line.includes('saml_provider.transient_names'))
        .map((line) => JSON.parse(line))
    expect(warnings()).toEqual([])
    await patch(id, { nameid_attribute: null })
    expect(warnings()).toMatchObject([{ level: 'warn', provider: id, missing: 'nameid_attribute' }])
  })

  it('keeps the key for asterisks, removes it for null, and accepts another with its certificate', async () => {
    const made = await created()
    const before = (await stored(made.id)).spCertificateKey
    await patch(made.id, { name: 'Another', sp_certificate_key: '********' })
    expect((await stored(made.id)).spCertificateKey).toEqual(before)
    const other = await makeCertificate()
    expect(await readErrors(patch(made.id, { sp_certificate: other.pem }))).toHaveProperty(
      'sp_certificate_key',
    )
    expect(await readErrors(patch(made.id, { sp_certificate: null }))).toHaveProperty('sp_certificate')
    expect(await readErrors(patch(made.id, { sp_certificate_key: other.keyPem }))).toHaveProperty(
      'sp_certificate_key',
    )
    expect((await stored(made.id)).spCertificateKey).toEqual(before)

    // A renewed certificate for the same key needs no key.
    const renewed = await makeCertificate({ keysOf: own })
    expect((await patch(made.id, { sp_certificate: `${own.pem}${renewed.pem}` })).status).toBe(200)
    expect((await stored(made.id)).spCertificateKey).toEqual(before)

    const exchanged = await patch(made.id, { sp_certificate: other.pem, sp_certificate_key: other.keyPem })
    expect(exchanged.body).toMatchObject({ sp_certificate: other.pem, sp_certificate_key: '********' })
    const key = await loadSigningKey(service.services, await stored(made.id))
    expect(key?.export({ type: 'pkcs8', format: 'pem' })).toBe(other.keyPem)

    expect((await patch(made.id, { sp_certificate_key: null })).body.sp_certificate_key).toBeNull()
    expect((await stored(made.id)).spCertificateKey).toBeNull()
    expect((await patch(made.id, { sp_certificate_key: '********' })).body.sp_certificate_key).toBeNull()
    expect((await patch(made.id, { sp_certificate: null })).body).toMatchObject({ sp_certificate: null })
  })

  it('rejects the entity ID of another provider, and frees the old one on a change', async () => {
    const [first, second] = [await created(), await created()]
    expect((await patch(second.id, { entity_id: first.entity_id })).status).toBe(409)
    const next = `urn:idp:${randomUUID()}`
    expect((await patch(first.id, { entity_id: next })).body.entity_id).toBe(next)
    expect((await patch(second.id, { entity_id: first.entity_id })).status).toBe(200)
    expect((await create({ ...given(), entity_id: next })).status).toBe(409)
  })

  it('concurrently loses no change', async () => {
    const { id } = await created()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        patch(id, { name: `Name ${at}`, slo_url: `https://idp.example.com/${at}` }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    const last = await read(id)
    const winners = answers.filter(({ status }) => status === 200).map(({ body }) => body.name)
    expect(winners).toContain(last.name)
    expect(last.slo_url).toBe(`https://idp.example.com/${last.name.slice(5)}`)
    expect((await recordsOf(id)).filter(([event]) => event === 'saml_provider.changed')).toHaveLength(
      winners.length,
    )
  })

  it('keeps a deleted user template and rejects other unknown ones', async () => {
    const { table } = service.services
    await putTemplate(72)
    const made = await created({ ...given(), user_template: 72 })
    await table.transact([{ delete: userTemplateKey(72) }])
    expect((await put(made.id, await read(made.id))).status).toBe(200)
    expect(await readErrors(patch(made.id, { user_template: 73 }))).toHaveProperty('user_template')
    expect((await patch(made.id, { user_template: null })).body.user_template).toBeNull()
    expect(await readErrors(patch(made.id, { user_template: 72 }))).toHaveProperty('user_template')
  })

  it('answers 404 for an unknown id', async () => {
    expect((await put(2_147_483_647, given())).status).toBe(404)
    expect((await patch(2_147_483_647, {})).status).toBe(404)
  })
})

describe('delete_saml_provider', () => {
  const remove = (id: number) => service.client('DELETE', `${path}/${id}`, { bearer: admin.bearer })

  it('is permanent, frees the entity ID, and is audited', async () => {
    const body = given()
    const { id } = await created(body)
    expect((await remove(id)).status).toBe(204)
    expect((await service.client('GET', `${path}/${id}`)).status).toBe(404)
    expect((await remove(id)).status).toBe(404)
    expect(await recordsOf(id)).toContainEqual(['saml_provider.deleted', String(id), admin.user.id])
    await created(body)
  })

  it('ends the sessions and pending flows of the provider, and no others', async () => {
    const [{ id }, other] = [await created(), await created()]
    const { table } = service.services
    const sessions = await Promise.all(
      [id, id, id, other.id].map(async (providerId) => {
        const { user } = await addPerson(service)
        const { value, hash } = mintCredential('session', user.id)
        const now = Date.now()
        const session: SessionRecord = {
          hash,
          id: 1,
          userId: user.id,
          credentialEpoch: user.credentialEpoch,
          createdAt: now,
          lastSeenAt: now,
          expiresAt: now + 60_000,
          address: '127.0.0.1',
          userAgent: '',
          authentication: { at: now, methods: ['saml'] },
          providerSubject: {
            providerId,
            kind: 'saml',
            nameId: randomUUID(),
            nameIdFormat: null,
            nameQualifier: null,
            spNameQualifier: null,
            sessionIndex: null,
          },
        } as SessionRecord
        await createSession(table, session, buildConnectionSessionSteps(session, now))
        return value
      }),
    )
    const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
    const [first = '', second = '', third = '', elsewhere = ''] = sessions
    expect(await Promise.all(sessions.map(me))).toEqual([200, 200, 200, 200])
    const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: first })).body
    for (const flow of ['a', 'b']) await table.put({ ...connectionFlowKey(id, flow) })

    expect((await remove(id)).status).toBe(204)
    expect(await Promise.all([first, second, third, elsewhere].map(me))).toEqual([401, 401, 401, 200])
    const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(check.status).toBe(404)
    expect(await table.list(connectionKey(id).pk, '')).toEqual([])
  })

  it('resumes after an interruption', async () => {
    const { id } = await created()
    const { table } = service.services
    expect((await remove(id)).status).toBe(204)
    await table.put({ ...connectionFlowKey(id, 'left-behind') })
    expect((await remove(id)).status).toBe(204)
    expect(await table.get(connectionFlowKey(id, 'left-behind'))).toBeUndefined()
    expect((await remove(id)).status).toBe(404)
  })

  it('lets exactly one of a concurrent deletion and update succeed', async () => {
    const { id } = await created()
    const [changed, removed] = await Promise.all([patch(id, { name: 'Changed' }), remove(id)])
    expect([200, 404, 409]).toContain(changed.status)
    expect([204, 409]).toContain(removed.status)
    const isThere = (await service.client('GET', `${path}/${id}`)).status === 200
    expect(isThere).toBe(removed.status === 409)
  })
})

describe('rotate_saml_sp_key', () => {
  const rotate = (id: number, body: object = {}) =>
    service.client('POST', `${path}/${id}/rotate-sp-key`, { bearer: admin.bearer, body })

  it('publishes a new key pair beside the old one, and switches on confirmation', async () => {
    const { id } = await created()
    expect((await rotate(id, { confirm: true })).body).toMatchObject({ code: 'conflict' })
    const first = await rotate(id)
    expect(first).toMatchObject({ status: 200, body: { sp_certificate: own.pem } })
    const next: string = first.body.next_sp_certificate
    expect(readCertificates(next).certificates).toHaveLength(1)
    // A repeated request returns the same certificate, because the partner may have read it by now.
    expect((await rotate(id)).body).toEqual(first.body)
    expect((await read(id)).sp_certificate).toBe(own.pem)

    const switched = await rotate(id, { confirm: true })
    expect(switched.body).toEqual({ sp_certificate: next, next_sp_certificate: null })
    expect(await read(id)).toMatchObject({ sp_certificate: next, sp_certificate_key: '********' })
    expect((await rotate(id, { confirm: true })).status).toBe(409)

    const provider = await stored(id)
    const [key] = readCertificates(next).certificates
    const { createPublicKey } = await import('node:crypto')
    const signing = await loadSigningKey(service.services, provider)
    expect(signing && getKeyFingerprint(createPublicKey(signing))).toBe(key?.keyFingerprint)
    const opened = await loadDecryptionKeys(service.services, provider)
    expect(opened.map((one) => getKeyFingerprint(createPublicKey(one)))).toEqual([
      key?.keyFingerprint,
      readCertificates(own.pem).certificates[0]?.keyFingerprint,
    ])
    expect((await recordsOf(id)).map(([event]) => event)).toEqual([
      'saml_provider.created',
      'saml_provider.sp_key_added',
      'saml_provider.sp_key_switched',
    ])
  })

  it('switches once, even concurrently', async () => {
    const { id } = await created()
    const made = await Promise.all(Array.from({ length: 4 }, () => rotate(id)))
    const certificates = new Set(
      made.filter(({ status }) => status === 200).map(({ body }) => body.next_sp_certificate),
    )
    expect(certificates.size).toBe(1)
    const switched = await Promise.all(Array.from({ length: 6 }, () => rotate(id, { confirm: true })))
    expect(switched.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await read(id)).sp_certificate).toBe([...certificates][0])
  })

  it('is canceled when a key pair is set explicitly', async () => {
    const { id } = await created()
    await rotate(id)
    const other = await makeCertificate()
    await patch(id, { sp_certificate: other.pem, sp_certificate_key: other.keyPem })
    expect((await rotate(id, { confirm: true })).status).toBe(409)
    expect(await stored(id)).toMatchObject({ nextSpPair: null, previousSpPair: null })
  })

  it('rejects unknown values', async () => {
    const { id } = await created()
    expect(await readErrors(rotate(id, { confirm: 'yes' }))).toHaveProperty('confirm')
    expect(await readErrors(rotate(id, { force: true }))).toHaveProperty('force')
    expect((await rotate(2_147_483_647)).status).toBe(404)
  })
})

it('no response ever contains a private key', async () => {
  const made = await created()
  const answers = await Promise.all([
    service.client('GET', path),
    service.client('GET', `${path}/${made.id}`, { bearer: admin.bearer }),
    put(made.id, { ...given(), sp_certificate_key: own.keyPem }),
    patch(made.id, { sp_certificate_key: own.keyPem, sso_url: 'nonsense' }),
    create({ ...made, sp_certificate_key: own.keyPem }),
    service.client('GET', `${path}/${made.id}/metadata`),
  ])
  const part = own.keyPem.split('\n')[5] ?? ''
  expect(part).toHaveLength(64)
  for (const { text } of answers) expect(text).not.toContain(part)
  expect(service.log.join('')).not.toContain(part)
})
