import { describe, expect, it } from 'vitest'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import { readOutputs } from '../../lib/features/configuration/outputs.part.ts'
import { createAppleKey, describeApple } from '../support/apple-upstream.ts'
import { makeIdp } from '../support/idp.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply, createContext, listProblems, unique } from './support.ts'

const service = await useService()
const { services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const idp = await makeIdp()
const { certificate, sso_url } = idp.providerBody()
const issuer = 'https://login.example.com/'
const secrets = { ACME_SECRET: 'a-secret-of-acme' }

const createDocument = () => {
  const owner = unique('acme')
  return {
    schema_version: 1,
    owner,
    user_templates: { [owner]: { name: owner } },
    saml_providers: {
      [owner]: {
        ...{ name: owner, entity_id: `https://${owner}.example.com/`, sso_url, certificate },
        ...{ user_template: owner, attribute_mapping: { email_from: 'mail' }, domains: [`${owner}.com`] },
      },
    },
    oidc_connections: {
      [owner]: {
        ...{ name: owner, issuer, client_id: owner, client_secret: { env: 'ACME_SECRET' } },
        ...{ user_template: owner, auto_create_users: true, multi_factor_authn_contexts: ['mfa'] },
      },
    },
  }
}

describe('company sign-in in a document', () => {
  it('is created with its template, its domains and its secret, and says what to enter elsewhere', async () => {
    const document = createDocument()
    const { owner } = document
    expect(await apply(services, document, { secrets })).toHaveLength(3)
    const outputs = await readOutputs(services, owner)
    expect(outputs).toEqual({
      saml_providers: {
        [owner]: {
          assertion_url: expect.stringMatching(/\/assertion$/),
          metadata_url: expect.stringMatching(/\/metadata$/),
          scim_base_url: expect.stringMatching(/\/scim\/v2\/\d+$/),
          [`TXT _latchkey.${owner}.com`]: expect.stringMatching(/^latchkey-domain=/),
        },
      },
      oidc_connections: {
        [owner]: {
          redirect_uri: expect.stringMatching(/\/callback$/),
          scim_base_url: expect.stringMatching(/\/scim\/v2\/\d+$/),
        },
      },
    })
    const [, id = ''] = /saml\/(\d+)/.exec(String(outputs['saml_providers']?.[owner]?.['metadata_url'])) ?? []
    const [template] = (await call('GET', `user-templates?limit=100`)).body.filter(
      ({ name }: { readonly name: string }) => name === owner,
    )
    expect((await call('GET', `auth/saml/${id}`)).body).toMatchObject({
      ...{ user_template: template.id, domains: [`${owner}.com`], sp_certificate_key: '********' },
      attribute_mapping: { email_from: 'mail', groups_from: null },
    })
    // A file cannot say that a domain is theirs.
    expect((await call('GET', `auth/connections/${id}/domains`)).body).toMatchObject([{ state: 'pending' }])
    expect(await apply(services, document, { secrets })).toEqual([])
  })

  it('changes a domain and a mapping, keeps the value of the proof, and sends a secret again when asked to', async () => {
    const document = createDocument()
    const { owner } = document
    await apply(services, document, { secrets })
    const before = await readOutputs(services, owner)
    const changed = {
      ...document,
      saml_providers: {
        [owner]: {
          ...document.saml_providers[owner],
          domains: [`${owner}.com`, `${owner}.org`],
          attribute_mapping: {},
        },
      },
      oidc_connections: {
        [owner]: { ...document.oidc_connections[owner], client_secret: { env: 'ACME_SECRET', version: 2 } },
      },
    }
    const applied = await apply(services, changed, { secrets })
    expect(applied.map(({ kind, fields }) => [kind, fields.map(({ name }) => name)])).toEqual([
      ['saml_provider', ['attribute_mapping', 'domains']],
      ['oidc_connection', ['client_secret']],
    ])
    const txt = `TXT _latchkey.${owner}.com`
    const after = await readOutputs(services, owner)
    expect(after['saml_providers']?.[owner]?.[txt]).toBe(before['saml_providers']?.[owner]?.[txt])
    expect(after['saml_providers']?.[owner]).toHaveProperty([`TXT _latchkey.${owner}.org`])
    expect(await apply(services, changed, { secrets })).toEqual([])
  })

  it('says what the directory of a customer may send, which nobody else changes then', async () => {
    const document = createDocument()
    const { owner } = document
    const saml = document.saml_providers[owner]
    const withDirectory = (scim: object) => ({ ...document, saml_providers: { [owner]: { ...saml, scim } } })
    const on = withDirectory({ enabled: true, match_to: 'external_id' })
    await apply(services, on, { secrets })
    const url = String((await readOutputs(services, owner))['saml_providers']?.[owner]?.['scim_base_url'])
    const path = `auth/connections/${url.slice(url.lastIndexOf('/') + 1)}/scim`
    const stored = {
      enabled: true,
      match_to: 'external_id',
      match_attribute: null,
      creates_unknown_users: false,
    }
    expect((await call('GET', path)).body).toMatchObject({ ...stored, base_url: url })
    const { status: byHand } = await call('PUT', path, { ...stored, enabled: false })
    const { status: ofToken, body } = await call('POST', `${path}/tokens`)
    expect([byHand, ofToken]).toEqual([409, 201])
    const exported = await exportDocument(services, createContext(services), owner)
    expect(exported.saml_providers?.[owner]).toMatchObject({ scim: stored })
    expect(JSON.stringify(exported)).not.toContain(body.token)
    expect(await apply(services, on, { secrets })).toEqual([])
    const [unknown] = await listProblems(() => apply(services, withDirectory({ enable: true }), { secrets }))
    expect(unknown).toContain(`saml_providers.${owner}.scim`)
    const [off] = await apply(services, document, { secrets })
    expect(off?.fields.map(({ name }) => name)).toEqual(['scim'])
    expect((await call('GET', path)).body).toMatchObject({ enabled: false, tokens: [{ id: body.id }] })
  })

  it('is refused as a whole without its secret, with a domain that nobody can own, or of all tenants', async () => {
    const document = createDocument()
    const { owner } = document
    const wrong = {
      ...document,
      saml_providers: { [owner]: { ...document.saml_providers[owner], domains: ['co.uk'] } },
      oidc_connections: {
        [owner]: document.oidc_connections[owner],
        [`${owner}-all`]: {
          ...document.oidc_connections[owner],
          issuer: 'https://login.microsoftonline.com/common/v2.0',
          client_secret: { env: 'ACME_SECRET' },
        },
      },
    }
    expect(await listProblems(() => apply(services, wrong))).toEqual([
      `saml_providers.${owner}.domain must be a domain that an organization can own`,
      `oidc_connections.${owner}.client_secret.env names ACME_SECRET, which is not set`,
      `oidc_connections.${owner}-all.client_secret.env names ACME_SECRET, which is not set`,
    ])
    expect(await listProblems(() => apply(services, wrong, { secrets }))).toEqual([
      `saml_providers.${owner}.domain must be a domain that an organization can own`,
      expect.stringContaining(`oidc_connections.${owner}-all.issuer must name one tenant of Entra ID`),
    ])
    expect(await readOutputs(services, owner)).toEqual({})
  })

  it('for Apple has a key that comes from a variable, and what names it', async () => {
    const owner = unique('apple')
    const { client_secret: pem, ...fields } = describeApple({
      issuer: 'https://appleid.apple.com',
      pem: await createAppleKey(),
    })
    const apple = { ...fields, client_secret: { env: 'APPLE_KEY' } }
    const document = { schema_version: 1, owner, oidc_connections: { [owner]: apple } }
    const { apple_key_id: _, ...incomplete } = apple
    const wrong = { ...document, oidc_connections: { [owner]: incomplete } }
    expect(await listProblems(() => apply(services, wrong, { secrets: { APPLE_KEY: 'x' } }))).toEqual([
      `oidc_connections.${owner}.apple_key_id is required for Apple`,
      expect.stringContaining(`oidc_connections.${owner}.client_secret must be the private key from Apple`),
    ])
    const given = { secrets: { APPLE_KEY: pem } }
    await apply(services, document, given)
    const exported = await exportDocument(services, createContext(services), owner)
    expect(exported.oidc_connections?.[owner]).toMatchObject(fields)
    expect(JSON.stringify(exported)).not.toContain(pem.split('\n')[1])
    expect(await apply(services, document, given)).toEqual([])
    const [moved] = await apply(
      services,
      { ...document, oidc_connections: { [owner]: { ...apple, apple_key_id: 'KEY2LATCH2' } } },
      given,
    )
    expect(moved).toMatchObject({ kind: 'oidc_connection', key: owner })
  })

  it('goes into an export with the name of a variable instead of the secret, and is deleted with its sessions', async () => {
    const document = createDocument()
    const { owner } = document
    await apply(services, document, { secrets })
    const exported = await exportDocument(services, createContext(services), owner)
    const text = JSON.stringify(exported)
    expect(text).not.toContain(secrets.ACME_SECRET)
    const variable = `${owner}_client_secret`.replaceAll('-', '_').toUpperCase()
    expect(exported.oidc_connections?.[owner]).toMatchObject({ client_secret: { env: variable } })
    expect(exported.saml_providers?.[owner]).toMatchObject({
      domains: [`${owner}.com`],
      user_template: owner,
    })
    const { schema_version } = document
    const deleted = await apply(services, { schema_version, owner }, { prune: true })
    expect(deleted.map(({ kind }) => kind)).toEqual(['oidc_connection', 'saml_provider', 'user_template'])
  })
})
