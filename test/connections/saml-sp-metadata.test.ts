import { randomUUID } from 'node:crypto'
import { DOMParser, type DomElement, type DomNode } from '@xmldom/xmldom/lib/dom-parser.js'
import { expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const bearer: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const own = await makeCertificate({ name: 'own' })
const renewed = await makeCertificate({ name: 'renewed', keysOf: own })

const path = '/api/2/auth/saml'
const addProvider = async (fields: object = {}): Promise<number> => {
  const body = {
    entity_id: `urn:idp:${randomUUID()}`,
    sso_url: 'https://idp.example.com/sso',
    certificate: own.pem,
    sp_certificate: own.pem,
    sp_certificate_key: own.keyPem,
    ...fields,
  }
  const answer = await service.client('POST', path, { bearer, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}
const metadata = async (id: number): Promise<string> => {
  const answer = await service.client('GET', `${path}/${id}/metadata`)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/samlmetadata+xml; charset=utf-8')
  return answer.text
}

const prefixes: Readonly<Record<string, string>> = {
  'urn:oasis:names:tc:SAML:2.0:metadata': 'md',
  'http://www.w3.org/2000/09/xmldsig#': 'ds',
}

/** An element as an independent parser reads it. */
interface Read {
  readonly name: string
  readonly children: readonly Read[]
  readonly attribute: (name: string) => string
  readonly text: string
}
const elementsIn = (node: DomElement): Read[] => {
  const found: Read[] = []
  for (let child: DomNode | null = node.firstChild; child; child = child.nextSibling)
    if (child.nodeType === 1) found.push(readElement(child as DomElement))
  return found
}
const readElement = (element: DomElement): Read => ({
  name: `${prefixes[element.namespaceURI ?? ''] ?? '?'}:${element.localName}`,
  children: elementsIn(element),
  attribute: (name) => element.getAttribute(name),
  text: (element as DomElement & { readonly textContent: string }).textContent,
})
const parse = (text: string): Read => {
  const errorHandler = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`)
  }
  const root = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml').documentElement
  if (!root) throw new Error('there is no root')
  return readElement(root)
}

/**
 * The children in order and the attributes that the schemas of SAML metadata and XML signatures allow for the elements
 * in use. From saml-schema-metadata-2.0.xsd and xmldsig-core-schema.xsd.
 */
const schema: Readonly<
  Record<string, { readonly children: RegExp; readonly attributes?: Record<string, RegExp> }>
> = {
  'md:EntityDescriptor': {
    children:
      /^(ds:Signature )?(md:Extensions )?(md:(RoleDescriptor|IDPSSODescriptor|SPSSODescriptor|AuthnAuthorityDescriptor|AttributeAuthorityDescriptor|PDPDescriptor) )+(md:Organization )?(md:ContactPerson )*(md:AdditionalMetadataLocation )*$/,
    attributes: { entityID: /^\S{1,1024}$/ },
  },
  'md:SPSSODescriptor': {
    children:
      /^(ds:Signature )?(md:Extensions )?(md:KeyDescriptor )*(md:Organization )?(md:ContactPerson )*(md:ArtifactResolutionService )*(md:SingleLogoutService )*(md:ManageNameIDService )*(md:NameIDFormat )*(md:AssertionConsumerService )+(md:AttributeConsumingService )*$/,
    attributes: {
      protocolSupportEnumeration: /^\S+( \S+)*$/,
      AuthnRequestsSigned: /^(true|false|1|0)$/,
      WantAssertionsSigned: /^(true|false|1|0)$/,
    },
  },
  'md:KeyDescriptor': {
    children: /^ds:KeyInfo (md:EncryptionMethod )*$/,
    attributes: { use: /^(encryption|signing)$/ },
  },
  'md:EncryptionMethod': {
    children: /^(xenc:KeySize )?(xenc:OAEPparams )?$/,
    attributes: { Algorithm: /^http:\S+$/ },
  },
  'ds:KeyInfo': { children: /^(ds:(KeyName|KeyValue|X509Data) )+$/ },
  'ds:X509Data': { children: /^(ds:X509Certificate )+$/ },
  'ds:X509Certificate': { children: /^$/ },
  'md:SingleLogoutService': { children: /^$/, attributes: { Binding: /^urn:\S+$/, Location: /^https:\S+$/ } },
  'md:NameIDFormat': { children: /^$/ },
  'md:AssertionConsumerService': {
    children: /^$/,
    attributes: {
      Binding: /^urn:\S+$/,
      Location: /^https:\S+$/,
      index: /^\d{1,5}$/,
      isDefault: /^(true|false|1|0)$/,
    },
  },
}
const requireValid = (element: Read): void => {
  const rule = schema[element.name]
  if (!rule) throw new Error(`the schema knows no ${element.name} there`)
  expect(element.children.map(({ name }) => `${name} `).join(''), element.name).toMatch(rule.children)
  for (const [name, form] of Object.entries(rule.attributes ?? {}))
    expect(element.attribute(name), `${element.name} ${name}`).toMatch(form)
  for (const child of element.children) requireValid(child)
}

const all = (element: Read, name: string): Read[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => all(child, name)),
]
const certificates = (root: Read, use: string): string[] =>
  all(root, 'md:KeyDescriptor')
    .filter((key) => key.attribute('use') === use)
    .flatMap((key) => all(key, 'ds:X509Certificate'))
    .map(({ text }) => text.trim())

it('contains everything that an identity provider needs, and matches the schema', async () => {
  const id = await addProvider({ nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' })
  const base = `https://auth.example.com${path}/${id}`
  const root = parse(await metadata(id))
  requireValid(root)
  expect(root.attribute('entityID')).toBe(`${base}/metadata`)
  const [role] = all(root, 'md:SPSSODescriptor')
  expect(role?.attribute('protocolSupportEnumeration')).toBe('urn:oasis:names:tc:SAML:2.0:protocol')
  expect(role?.attribute('WantAssertionsSigned')).toBe('true')
  expect(role?.attribute('AuthnRequestsSigned')).toBe('true')
  const place = (name: string) =>
    all(root, name).map((element) => [element.attribute('Binding'), element.attribute('Location')])
  expect(place('md:AssertionConsumerService')).toEqual([
    ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', `${base}/assertion`],
  ])
  expect(place('md:SingleLogoutService')).toEqual([
    ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', `${base}/sls/return`],
  ])
  expect(all(root, 'md:NameIDFormat').map(({ text }) => text)).toEqual([
    'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  ])
  for (const use of ['signing', 'encryption']) expect(certificates(root, use)).toEqual([own.base64])
})

it('contains the old and the new key during a rotation, then only the new one', async () => {
  const id = await addProvider()
  const rotate = (body: object) => service.client('POST', `${path}/${id}/rotate-sp-key`, { bearer, body })
  const { next_sp_certificate: next } = (await rotate({})).body
  const bare = next.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const both = parse(await metadata(id))
  requireValid(both)
  for (const use of ['signing', 'encryption']) expect(certificates(both, use)).toEqual([own.base64, bare])
  await rotate({ confirm: true })
  const after = parse(await metadata(id))
  for (const use of ['signing', 'encryption']) expect(certificates(after, use)).toEqual([bare])
})

it('lists certificates without a key for signing only, and the service’s own first', async () => {
  const other = await makeCertificate()
  const id = await addProvider({ sp_certificate: `${other.pem}${own.pem}${renewed.pem}` })
  const root = parse(await metadata(id))
  expect(certificates(root, 'signing')).toEqual([own.base64, renewed.base64, other.base64])
  expect(certificates(root, 'encryption')).toEqual([own.base64, renewed.base64])
})

it('without a key requests nothing that needs one', async () => {
  const id = await addProvider({ sp_certificate: own.pem, sp_certificate_key: null })
  const root = parse(await metadata(id))
  requireValid(root)
  expect(all(root, 'md:KeyDescriptor')).toEqual([])
  expect(all(root, 'md:SPSSODescriptor')[0]?.attribute('AuthnRequestsSigned')).toBe('false')
})

it('names no format that names cannot have', async () => {
  const id = await addProvider({ nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted' })
  const root = parse(await metadata(id))
  requireValid(root)
  expect(all(root, 'md:NameIDFormat')).toEqual([])
})

it('is the same for every caller and contains nothing of the request', async () => {
  const id = await addProvider()
  const plain = await metadata(id)
  const dressed = await service.client('GET', `${path}/${id}/metadata`, {
    bearer,
    headers: { 'x-forwarded-host': 'evil.example', accept: 'text/html, */*;q=0.1' },
  })
  expect(dressed.text).toBe(plain)
  // Some products append their own query parameters.
  for (const accept of ['application/xml', 'text/xml', 'text/html', 'application/json', 'image/png', 'x'])
    expect((await service.client('GET', `${path}/${id}/metadata`, { headers: { accept } })).text).toBe(plain)
  expect((await service.client('GET', `${path}/2147483647/metadata`)).status).toBe(404)
  expect((await service.client('GET', `${path}/x/metadata`)).status).toBe(400)
})

it('rejects plain http if the service itself does not run on it', async () => {
  const body = { entity_id: 'urn:http', sso_url: 'http://127.0.0.1/sso', certificate: own.pem }
  const answer = await service.client('POST', path, { bearer, body })
  expect(answer.body.errors).toEqual([{ field: 'sso_url', message: 'must start with https://' }])
})
