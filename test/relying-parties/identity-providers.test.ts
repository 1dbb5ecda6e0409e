import { afterAll, describe, expect, it } from 'vitest'
import { readIdentityProvider } from '../../lib/features/connections/saml/metadata/identity-provider.ts'
import { toMetadataBody } from '../../lib/features/connections/saml/provider-metadata.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { findFreePortPair } from '../../local/ports.ts'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { sessionOf, userOfSession, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'
import { type Pysaml2, startPysaml2 } from './pysaml2.ts'
import { startSimpleSamlPhp } from './simplesamlphp.ts'

/*
 * Forty companies with identity providers of other projects, whose 500 people have accounts already. Each company has a domain, and
 * everyone keeps their account at the first sign-in through the company.
 */

const companies = 40
const peopleOfEach = 12
const peopleInPhp = 32

interface Company {
  readonly id: number
  readonly domain: string
  readonly entityId: string
  /** The process of its identity provider. */
  readonly idp: Pysaml2
  readonly people: readonly Person[]
}

const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  RATE_LIMITS: 'samlStarts=100000/60',
})
const admin: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const signer = await makeCertificate({ name: 'companies' })

/** Two processes, because signatures take most of the time. */
const processes: readonly Pysaml2[] = [startPysaml2(), startPysaml2()]
const own: Company[] = []

/** Creates a provider from its metadata. */
const connect = async (metadata: string): Promise<{ id: number; entityId: string }> => {
  const found = await readIdentityProvider(Buffer.from(metadata), {
    ...{ nowMs: Date.now(), allowsLoopback: false, entityId: undefined },
    findTrustedCertificates: async () => undefined,
  })
  const created = await service.client('POST', '/api/2/auth/saml', {
    bearer: admin,
    body: {
      ...toMetadataBody(found),
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      auto_create_users: true,
    },
  })
  expect(created.status, created.text).toBe(201)
  return { id: created.body.id, entityId: created.body.entity_id }
}

const addPeople = (domain: string, count: number) =>
  mapInBatches([...Array(count).keys()], 8, (at) =>
    addPerson(service, { email: `person-${at}@${domain}`, passwordHash: null }),
  )

const readMetadata = async (id: number): Promise<string> =>
  (await service.client('GET', `/api/2/auth/saml/${id}/metadata`)).text

for (let at = 1; at < companies; at++) {
  const idp = processes[at % 2] ?? startPysaml2()
  const domain = `company-${at}.example`
  const entityId = `https://idp.${domain}/metadata`
  const { id } = await connect(await idp.open({ entityId, ssoUrl: `https://idp.${domain}/sso`, signer }))
  await idp.trust(entityId, await readMetadata(id))
  await vouchForDomains(service, { id, admin }, [domain])
  own.push({ id, idp, domain, entityId, people: await addPeople(domain, peopleOfEach) })
}
const people = await addPeople('php.example', peopleInPhp)
const php = closeAfterTests(
  await startSimpleSamlPhp({
    port: await findFreePortPair(),
    publicUrl: 'https://idp.php.example',
    signer,
    people: new Map(people.map(({ user }, at) => [`name${at}`, user.email ?? ''])),
  }),
)
const { id, entityId } = await connect(await php.metadata())
php.trust({
  entityId: `https://auth.example.com/api/2/auth/saml/${id}/metadata`,
  acsUrl: `https://auth.example.com/api/2/auth/saml/${id}/assertion`,
})
await vouchForDomains(service, { id, admin }, ['php.example'])
const inPhp: Omit<Company, 'idp'> = { id, domain: 'php.example', entityId, people }
afterAll(async () => {
  for (const idp of processes ?? []) await idp.close()
})

/** Signs a person in at a company. Returns the session, or undefined if it is refused. */
const signIn = async ({ id, idp, entityId }: Company, nameId: string, mail: string) => {
  const browser = new TestBrowser(service)
  const location = new URL((await browser.get(`/api/2/auth/saml/${id}/sso`)).headers.get('location') ?? '')
  const { acsUrl, response } = await idp.answer({
    entityId,
    request: location.searchParams.get('SAMLRequest') ?? '',
    nameId,
    attributes: { mail, displayName: nameId },
  })
  const form = { SAMLResponse: response, RelayState: location.searchParams.get('RelayState') }
  return sessionOf(await browser.post(acsUrl, form))
}
const idOf = async (session: string | undefined) =>
  session === undefined ? undefined : userOfSession(service, session)

describe('the people of forty companies', () => {
  it('keep their accounts at the first sign-in with pysaml2, and at the next one with another address', async () => {
    await mapInBatches(own, 4, async (company) => {
      for (const [at, { user }] of company.people.entries()) {
        const first = await idOf(await signIn(company, `name-${at}`, user.email ?? ''))
        expect([user.email, first]).toEqual([user.email, user.id])
      }
    })
    const [company] = own
    if (!company) throw new Error('there are no companies')
    expect(await idOf(await signIn(company, 'name-3', `renamed@${company.domain}`))).toBe(
      company.people[3]?.user.id,
    )
  })

  it('keep their accounts at the first sign-in with SimpleSAMLphp', async () => {
    for (const [at, { user }] of inPhp.people.entries()) {
      const browser = new TestBrowser(service)
      const start = await browser.get(`/api/2/auth/saml/${inPhp.id}/sso`)
      const { acsUrl, form } = await php.signIn(start.headers.get('location') ?? '', `name${at}`)
      const session = sessionOf(await browser.post(acsUrl, form))
      expect([at, await idOf(session)]).toEqual([at, user.id])
    }
  })

  it('are not reached by the identity provider of another company', async () => {
    const before = new Map(own.map(({ people }) => [people[0]?.user.email, people[0]?.user.id]))
    for (const [at, company] of own.entries()) {
      const victim = own[(at + 1) % own.length]?.people[0]?.user
      const got = await idOf(await signIn(company, 'thief', victim?.email ?? ''))
      expect(got).not.toBe(before.get(victim?.email ?? null))
    }
  })
})
