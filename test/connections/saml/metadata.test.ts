import { describe, expect, it } from 'vitest'
import {
  type Certificate,
  joinCertificates,
  readCertificates,
} from '../../../lib/features/connections/saml/certificates.ts'
import {
  type MetadataOptions,
  readIdentityProvider,
} from '../../../lib/features/connections/saml/metadata/identity-provider.ts'
import { MetadataError } from '../../../lib/features/connections/saml/metadata/metadata-error.ts'
import { makeCertificate, type TestCertificate } from '../../support/certificates.ts'
import { cpuMsOf, referenceMs } from '../../support/cpu-time.ts'
import {
  type FixtureCertificates,
  type FixtureName,
  fixture,
  plainMetadata,
  signMetadata,
} from '../../support/saml-metadata.ts'

const certificates: FixtureCertificates = {
  signing: await makeCertificate({ name: 'signing' }),
  signing2: await makeCertificate({ name: 'second' }),
  other: await makeCertificate({ name: 'other' }),
}
const elliptic = await makeCertificate({ curve: 'P-256' })

type Options = Partial<Omit<MetadataOptions, 'trusted'>> & { readonly trusted?: readonly Certificate[] }

const read = (metadata: string | Uint8Array, { trusted, ...options }: Options = {}) =>
  readIdentityProvider(typeof metadata === 'string' ? Buffer.from(metadata) : metadata, {
    nowMs: Date.now(),
    allowsLoopback: false,
    findTrustedCertificates: () => trusted,
    ...options,
  })

/** Returns the error of rejected metadata. */
const refusal = async (metadata: string | Uint8Array, options?: Options): Promise<string> => {
  const error = await read(metadata, options).then(
    () => new Error('it was accepted'),
    (cause: unknown) => cause,
  )
  if (!(error instanceof MetadataError)) throw error
  return error.message
}

const known = ({ pem }: TestCertificate) => readCertificates(pem).certificates

describe('metadata of', () => {
  it.each<[FixtureName, string, string, string | undefined, readonly (keyof FixtureCertificates)[]]>([
    [
      'entra',
      'https://sts.windows.net/0b1d0c7e-aaaa-4bbb-8ccc-9d0e1f2a3b4c/',
      'https://login.microsoftonline.com/0b1d0c7e-aaaa-4bbb-8ccc-9d0e1f2a3b4c/saml2',
      'https://login.microsoftonline.com/0b1d0c7e-aaaa-4bbb-8ccc-9d0e1f2a3b4c/saml2',
      ['signing'],
    ],
    [
      'adfs',
      'http://adfs.example.com/adfs/services/trust',
      'https://adfs.example.com/adfs/ls/',
      'https://adfs.example.com/adfs/ls/',
      ['signing', 'signing2'],
    ],
    [
      'okta',
      'http://www.okta.com/exk1fixture2fixture3',
      'https://example.okta.com/app/example_app/exk1fixture2fixture3/sso/saml',
      undefined,
      ['signing'],
    ],
    [
      'google',
      'https://accounts.google.com/o/saml2?idpid=C0fixture',
      'https://accounts.google.com/o/saml2/idp?idpid=C0fixture',
      undefined,
      ['signing', 'signing2'],
    ],
    [
      'keycloak',
      'https://keycloak.example.com/realms/staff',
      'https://keycloak.example.com/realms/staff/protocol/saml',
      'https://keycloak.example.com/realms/staff/protocol/saml',
      ['signing'],
    ],
    [
      'simplesamlphp',
      'https://idp.example.org/simplesaml/saml2/idp/metadata.php',
      'https://idp.example.org/simplesaml/saml2/idp/SSOService.php',
      'https://idp.example.org/simplesaml/saml2/idp/SingleLogoutService.php',
      ['signing'],
    ],
    [
      'shibboleth',
      'https://idp.example.edu/idp/shibboleth',
      'https://idp.example.edu/idp/profile/SAML2/Redirect/SSO',
      'https://idp.example.edu/idp/profile/SAML2/Redirect/SLO',
      ['signing', 'signing2'],
    ],
    [
      'onelogin',
      'https://app.onelogin.com/saml/metadata/3f0c7d52-0000-4000-8000-fixture00001',
      'https://example.onelogin.com/trust/saml2/http-redirect/sso/3f0c7d52-0000-4000-8000-fixture00001',
      'https://example.onelogin.com/trust/saml2/http-redirect/slo/1234567',
      ['signing'],
    ],
  ])('%s is accepted', async (name, entityId, ssoUrl, sloUrl, keys) => {
    const provider = await read(fixture(name, certificates))
    expect(provider).toMatchObject({ entityId, ssoUrl, isSigned: false })
    expect(provider.sloUrl).toBe(sloUrl)
    expect(joinCertificates(provider.certificates)).toBe(keys.map((key) => certificates[key].pem).join(''))
  })
})

describe('an aggregate', () => {
  it('is rejected with a list of only its identity providers', async () => {
    const message = await refusal(fixture('aggregate', certificates))
    expect(message).toBe(
      'leads to several identity providers: add # and the entity id of one; ' +
        'found: https://idp.one.example.net/idp, urn:mace:two.example.net:idp',
    )
  })

  it('is accepted for the named entity, also in a nested group', async () => {
    const aggregate = fixture('aggregate', certificates)
    expect(await read(aggregate, { entityId: 'urn:mace:two.example.net:idp' })).toMatchObject({
      ssoUrl: 'https://two.example.net/sso',
    })
    expect(await refusal(aggregate, { entityId: 'https://sp.example.net/' })).toContain(
      'without the entity that its fragment names',
    )
  })

  it('is accepted without a name if it has one identity provider', async () => {
    const one = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${plainMetadata({
      certificates: [certificates.signing],
    })}</EntitiesDescriptor>`
    expect((await read(one)).entityId).toBe('https://idp.example.com/metadata')
  })

  it('is rejected if it describes the named entity twice', async () => {
    const twice = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${plainMetadata({
      certificates: [certificates.signing],
    }).repeat(2)}</EntitiesDescriptor>`
    const entityId = 'https://idp.example.com/metadata'
    expect(await refusal(twice, { entityId })).toContain('more than once')
  })

  it('of hundreds of entities lists some and counts the rest', async () => {
    const many = Array.from({ length: 120 }, (_, at) =>
      plainMetadata({ entityId: `https://idp-${at}.example.com`, certificates: [] }),
    )
    const message = await refusal(
      `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${many.join('')}</EntitiesDescriptor>`,
    )
    expect(message).toContain('https://idp-49.example.com, and 70 more')
    expect(message).not.toContain('https://idp-50.')
  })
})

describe('unusable metadata', () => {
  const plain = () => plainMetadata({ certificates: [certificates.signing] })

  it.each<[string, () => string | Uint8Array, string]>([
    ['POST alone', () => fixture('post-only', certificates), 'does not offer sign-in by HTTP-Redirect'],
    ['no address', () => plain().replace(/<SingleSignOnService[^>]*>/, ''), 'without an address to sign in'],
    ['no key', () => plainMetadata({ certificates: [] }), 'without a certificate to verify'],
    [
      'an encryption key alone',
      () => plain().replace('use="signing"', 'use="encryption"'),
      'without a certificate to verify',
    ],
    [
      'something else in place of the certificate',
      () => plain().replace(certificates.signing.base64, 'aGVsbG8='),
      'whose signing certificate cannot be used: it contains a certificate that cannot be read',
    ],
    [
      'an address without TLS',
      () => plainMetadata({ certificates: [certificates.signing], ssoUrl: 'http://idp.example.com/sso' }),
      'whose Location must start with https://',
    ],
    [
      'a script as address',
      () => plainMetadata({ certificates: [certificates.signing], ssoUrl: 'javascript:alert(1)' }),
      'whose Location must start with https://',
    ],
    [
      'an address that no field holds',
      () =>
        plainMetadata({
          certificates: [certificates.signing],
          ssoUrl: `https://idp.example.com/${'x'.repeat(250)}`,
        }),
      'whose Location must be at most 255 characters',
    ],
    [
      'a service provider',
      () =>
        '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"><SPSSODescriptor/></EntityDescriptor>',
      'service provider',
    ],
    [
      'SAML 1.1',
      () => plain().replace('urn:oasis:names:tc:SAML:2.0:protocol', 'urn:oasis:names:tc:SAML:1.1:protocol'),
      'does not support SAML 2.0',
    ],
    [
      'another namespace',
      () => plain().replace('SAML:2.0:metadata', 'SAML:1.0:metadata'),
      'is not SAML metadata',
    ],
    [
      'a script as the address for answers',
      () =>
        plainMetadata({
          certificates: [certificates.signing],
          sloUrl: 'https://idp.example.com/slo" ResponseLocation="javascript:alert(1)',
        }),
      'whose ResponseLocation must start with https://',
    ],
    ['a web page', () => '<!doctype html><title>Sign in</title>', 'document type'],
    ['JSON', () => '{}', 'text outside'],
    ['nothing', () => '', 'is not XML'],
    [
      'an entity id that no field holds',
      () => plainMetadata({ entityId: 'x'.repeat(256), certificates: [certificates.signing] }),
      'longer than 255',
    ],
  ])('is rejected: %s', async (_, metadata, message) => {
    expect(await refusal(metadata())).toContain(message)
  })

  it('is accepted with an expired or weak certificate next to a good one', async () => {
    const weak = await makeCertificate({ bits: 1024 })
    const expired = await makeCertificate({ days: { from: -800, to: -30 } })
    const { signing } = certificates
    const provider = await read(plainMetadata({ certificates: [weak, expired, signing] }))
    expect(provider.certificates.map(({ pem }) => pem)).toEqual([expired.pem, signing.pem])
    expect(await refusal(plainMetadata({ certificates: [weak] }))).toContain('must have 2048 to 8192 bits')
  })

  it('excludes the authority that issued the certificate in the same chain', async () => {
    const authority = await makeCertificate({ name: 'authority', isAuthority: true })
    const leaf = await makeCertificate({ name: 'leaf', issuer: authority })
    const chain = plainMetadata({ certificates: [leaf] }).replace(
      '</X509Certificate>',
      `</X509Certificate><X509Certificate>${authority.base64}</X509Certificate>`,
    )
    expect((await read(chain)).certificates.map(({ pem }) => pem)).toEqual([leaf.pem])
  })
})

describe('certificates in one piece of data', () => {
  const together = (all: readonly TestCertificate[]) =>
    plainMetadata({ certificates: all.slice(0, 1) }).replace(
      '</X509Certificate>',
      `</X509Certificate>${all
        .slice(1)
        .map(({ base64 }) => `<X509Certificate>${base64}</X509Certificate>`)
        .join('')}`,
    )
  const taken = async (all: readonly TestCertificate[]) =>
    (await read(together(all))).certificates.map(({ pem }) => pem)
  const pems = (all: readonly TestCertificate[]) => all.map(({ pem }) => pem)

  it('of the same name are all accepted if none has issued another', async () => {
    const name = 'idp.example.com'
    const old = await makeCertificate({ name, isAuthority: true })
    const next = await makeCertificate({ name, isAuthority: true })
    const elliptic = await makeCertificate({ name, curve: 'P-256', isAuthority: true })
    for (const all of [
      [old, next],
      [next, old],
      [old, next, elliptic],
    ])
      expect(await taken(all)).toEqual(pems(all))
  })

  it('of the same key are both accepted', async () => {
    const old = await makeCertificate({ name: 'renewed', isAuthority: true })
    const next = await makeCertificate({ name: 'renewed', keysOf: old, isAuthority: true })
    expect(await taken([old, next])).toEqual(pems([old, next]))
  })

  it('exclude the issuers of others, even if all have the same name', async () => {
    const authority = await makeCertificate({ name: 'same', isAuthority: true })
    const issued = await makeCertificate({ name: 'same', issuer: authority })
    expect(await taken([issued, authority])).toEqual([issued.pem])
    expect(await taken([authority, issued])).toEqual([issued.pem])
  })

  it('are limited in number before they are compared with each other', async () => {
    const many = await Promise.all(
      Array.from({ length: 21 }, () => makeCertificate({ name: 'many', curve: 'P-256', isAuthority: true })),
    )
    expect(await refusal(together(many))).toContain('more than 20 certificates')
    expect(await taken(many.slice(1))).toEqual(pems(many.slice(1)))
    const authority = await makeCertificate({ name: 'many', isAuthority: true })
    const issued = await makeCertificate({ name: 'issued', issuer: authority })
    expect(await refusal(together([issued, authority, ...many.slice(2)]))).toContain('more than 20')
    expect(await taken([issued, authority, ...many.slice(3)])).toEqual(pems([issued, ...many.slice(3)]))
  })
})

describe('metadata with validUntil', () => {
  const ending = (text: string) =>
    plainMetadata({ certificates: [certificates.signing], attributes: `validUntil="${text}"` })

  it('is accepted until then', async () => {
    const nowMs = Date.parse('2026-01-31T12:00:00Z')
    expect((await read(ending('2026-01-31T12:00:01Z'), { nowMs })).entityId).toBeTruthy()
    expect((await read(ending('2026-01-31T13:00:01+01:00'), { nowMs })).entityId).toBeTruthy()
    for (const over of ['2026-01-31T12:00:00Z', '2026-01-31T12:59:59.9+01:00', '1999-01-01T00:00:00Z'])
      expect(await refusal(ending(over), { nowMs })).toContain('has expired')
    for (const none of ['', 'tomorrow', '2026-01-31', '2026-02-31T00:00:00', '9'.repeat(1000)])
      expect(await refusal(ending(none), { nowMs })).toContain('is not a valid time')
  })

  it('expires with its group and with its role', async () => {
    const past = new Date(Date.now() - 1000).toISOString()
    const entityId = 'https://idp.one.example.net/idp'
    expect(await refusal(fixture('aggregate', certificates, past), { entityId })).toContain('has expired')
    const role = plainMetadata({ certificates: [certificates.signing] }).replace(
      '<IDPSSODescriptor',
      `<IDPSSODescriptor validUntil="${past}"`,
    )
    expect(await refusal(role)).toContain('has expired')
  })
})

describe('the encoding', () => {
  const declared = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${plainMetadata({
      entityId: 'https://idp.example.com/größe/日本',
      certificates: [certificates.signing],
    })}`
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const entityId = 'https://idp.example.com/größe/日本'

  it.each<[string, () => Uint8Array]>([
    ['UTF-8', () => Buffer.from(declared('utf-8'))],
    ['UTF-8 with a mark', () => Buffer.from(`\ufeff${declared('UTF-8')}`)],
    ['UTF-16 with a mark', () => Buffer.from(`\ufeff${declared('utf-16')}`, 'utf16le')],
    ['big-endian UTF-16 with a mark', () => bigEndian(`\ufeff${declared('UTF-16')}`)],
    ['UTF-16 without a mark', () => Buffer.from(declared('UTF-16LE'), 'utf16le')],
    ['big-endian UTF-16 without a mark', () => bigEndian(declared('UTF-16BE'))],
  ])('is accepted as %s', async (_, bytes) => {
    expect((await read(bytes())).entityId).toBe(entityId)
  })

  it.each<[string, () => Uint8Array, string]>([
    ['another one', () => Buffer.from(declared('iso-8859-1'), 'latin1'), 'not UTF-8'],
    [
      'declared as another one',
      () => Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a/>'),
      'must be in',
    ],
    ['declared as UTF-16 in UTF-8', () => Buffer.from(declared('utf-16')), 'declares another encoding'],
    [
      'declared as UTF-8 in UTF-16',
      () => Buffer.from(`\ufeff${declared('utf-8')}`, 'utf16le'),
      'declares another',
    ],
    ['UTF-7', () => Buffer.from('<?xml version="1.0" encoding="utf-7"?>+ADw-a/+AD4-'), 'must be in'],
    ['UTF-32', () => Buffer.from('fffe00003c000000', 'hex'), 'not UTF-32'],
    ['half a character', () => Buffer.concat([Buffer.from('<a>'), Buffer.from([0xc3])]), 'not UTF-8'],
    ['an overlong character', () => Buffer.from('3c613ec0bc', 'hex'), 'not UTF-8'],
    ['half a surrogate pair', () => Buffer.from('\ufeff<a>\ud800</a>', 'utf16le'), 'not UTF-16'],
  ])('is rejected as %s', async (_, bytes, message) => {
    expect(await refusal(bytes())).toContain(message)
  })
})

describe('a signature', () => {
  const plain = () => plainMetadata({ certificates: [certificates.signing, certificates.signing2] })

  it('with one of several known certificates is accepted', async () => {
    const signed = signMetadata(plain(), certificates.signing)
    const trusted = [...known(certificates.other), ...known(certificates.signing)]
    expect(await read(signed, { trusted })).toMatchObject({
      isSigned: true,
      ssoUrl: 'https://idp.example.com/sso',
    })
  })

  it('with a known elliptic curve certificate is accepted', async () => {
    const signature = await signElliptic(plain(), elliptic)
    expect(await read(signature, { trusted: known(elliptic) })).toMatchObject({ isSigned: true })
  })

  it.each<[string, (signed: string) => string]>([
    ['another address', (signed) => signed.replace('idp.example.com/sso', 'evil.example.com/sso')],
    ['another name', (signed) => signed.replace('idp.example.com/metadata', 'evil.example.com/metadata')],
    [
      'another certificate',
      (signed) => signed.replace(certificates.signing2.base64, certificates.other.base64),
    ],
    ['no ID', (signed) => signed.replace('ID="_1"', 'ID="_2"')],
    ['another reference', (signed) => signed.replace('URI="#_1"', 'URI="#_2"')],
    ['another digest', (signed) => signed.replace('xmlenc#sha256', 'xmlenc#sha512')],
    ['an emptied value', (signed) => signed.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>')],
  ])('is rejected if there is %s afterwards', async (_, change) => {
    const signed = signMetadata(plain(), certificates.signing)
    expect(change(signed)).not.toBe(signed)
    expect(await refusal(change(signed), { trusted: known(certificates.signing) })).toContain(
      'none of the certificates of the provider verifies',
    )
  })

  it('with an unknown certificate is rejected, even if it contains it', async () => {
    const signed = signMetadata(plain(), certificates.other)
    expect(signed).toContain(certificates.other.base64.slice(0, 40))
    expect(await refusal(signed, { trusted: known(certificates.signing) })).toContain(
      'none of the certificates',
    )
  })

  it.each([
    ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2001/04/xmlenc#sha256'],
    ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'],
  ])('with %s over %s is rejected', async (signatureAlgorithm, digestAlgorithm) => {
    const signed = signMetadata(plain(), certificates.signing, { signatureAlgorithm, digestAlgorithm })
    expect(await refusal(signed, { trusted: known(certificates.signing) })).toContain(
      'none of the certificates',
    )
  })

  it('with the public certificate as a shared key is rejected', async () => {
    const forged = signMetadata(plain(), certificates.signing).replace(
      'xmldsig-more#rsa-sha256',
      'xmldsig-more#hmac-sha256',
    )
    expect(await refusal(forged, { trusted: known(certificates.signing) })).toContain(
      'none of the certificates',
    )
  })

  it('that is valid for other content is rejected', async () => {
    const signed = signMetadata(plain(), certificates.signing)
    const evil = plainMetadata({
      certificates: [certificates.other],
      ssoUrl: 'https://evil.example.com/sso',
    }).replace('ID="_1"', 'ID="_evil"')
    const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(signed)?.[0] ?? ''
    const trusted = known(certificates.signing)
    // The signed document is an extension of the forged one, with the valid signature in the usual place.
    const wrappedInside = evil.replace(
      '<IDPSSODescriptor',
      `${signature}<Extensions>${signed.replace(signature, '')}</Extensions><IDPSSODescriptor`,
    )
    expect(await refusal(wrappedInside, { trusted })).toContain('none of the certificates')
    // The reverse: a forged copy before the signed element.
    const group = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${evil}${signed}</EntitiesDescriptor>`
    expect(await refusal(group, { trusted, entityId: 'https://idp.example.com/metadata' })).toContain(
      'more than once',
    )
    const moved = evil.replace('<IDPSSODescriptor', `${signature}<IDPSSODescriptor`)
    expect(await refusal(moved, { trusted })).toContain('none of the certificates')
    expect(await refusal(moved.replace('ID="_evil"', 'ID="_1"'), { trusted })).toContain(
      'none of the certificates',
    )
  })

  it('that occurs twice is rejected', async () => {
    const once = signMetadata(plain(), certificates.signing)
    const twice = signMetadata(once, certificates.signing)
    expect(await refusal(twice, { trusted: known(certificates.signing) })).toContain('signed exactly once')
  })

  it('of one entity in a group covers that entity', async () => {
    const group = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ID="_g">${plain()}${plainMetadata(
      {
        entityId: 'https://other.example.com',
        certificates: [certificates.other],
      },
    ).replace('ID="_1"', 'ID="_2"')}</EntitiesDescriptor>`
    const signed = signMetadata(group, certificates.signing, { xpath: '//*[@ID="_1"]' })
    const entityId = 'https://idp.example.com/metadata'
    const trusted = known(certificates.signing)
    expect(await read(signed, { trusted, entityId })).toMatchObject({ isSigned: true })
    expect(await read(signed, { trusted, entityId: 'https://other.example.com' })).toMatchObject({
      isSigned: false,
    })
    const changed = signed.replace('idp.example.com/sso', 'evil.example.com/sso')
    expect(await refusal(changed, { trusted, entityId })).toContain('none of the certificates')
  })

  it('of a whole group covers each entity in it', async () => {
    const signed = signMetadata(fixture('aggregate', certificates), certificates.other)
    const entityId = 'urn:mace:two.example.net:idp'
    expect(await read(signed, { trusted: known(certificates.other), entityId })).toMatchObject({
      isSigned: true,
    })
  })

  it.each<[string, string]>([
    ['elements', '<a/>'.repeat(9900)],
    ['signatures', '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>'.repeat(9800)],
    [
      'namespaces',
      `<a ${Array.from({ length: 58 }, (_, at) => `xmlns:n${at}="u"`).join(' ')}>${'<b/>'.repeat(9800)}</a>`,
    ],
    ['attributes', '<n a="" b="" c="" d="" e="" f="" g="" h=""/>'.repeat(2400)],
    ['depth', `${'<b>'.repeat(46)}${'</b>'.repeat(46)}`.repeat(200)],
  ])('is found quickly in documents with many %s', async (_, filling) => {
    const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(
      signMetadata(plain(), certificates.signing),
    )?.[0]
    const text = plain().replace(
      '<IDPSSODescriptor',
      `${signature}<Extensions>${filling}</Extensions><IDPSSODescriptor`,
    )
    const trusted = Array.from({ length: 20 }, () => known(certificates.signing)).flat()
    const ms = await cpuMsOf(async () =>
      expect(await refusal(text, { trusted })).toContain('none of the certificates'),
    )
    expect(ms).toBeLessThan(100 * (await referenceMs()))
  })

  it('is ignored if no certificate is known yet', async () => {
    expect(await read(signMetadata(plain(), certificates.other))).toMatchObject({ isSigned: false })
  })

  it('over comments cannot hide text', async () => {
    const signed = signMetadata(plain(), certificates.signing)
    const split = signed.replace('entityID="https', '<!-- -->entityID="https')
    await refusal(split, { trusted: known(certificates.signing) })
    const commented = signed.replace('</IDPSSODescriptor>', '<!-- evil --></IDPSSODescriptor>')
    expect(await read(commented, { trusted: known(certificates.signing) })).toMatchObject({ isSigned: true })
  })
})

/** The library that signs in these tests does not support elliptic curves. */
const signElliptic = async (xml: string, { keyPem }: TestCertificate): Promise<string> => {
  const { createSign } = await import('node:crypto')
  const { SignedXml } = await import('xml-crypto')
  const name = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
  const signed = new SignedXml({
    privateKey: keyPem,
    signatureAlgorithm: name,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signed.SignatureAlgorithms[name] = class {
    getAlgorithmName = () => name
    getSignature = (material: string) =>
      createSign('sha256').update(material).sign({ key: keyPem, dsaEncoding: 'ieee-p1363' }, 'base64')
    verifySignature = () => false
  } as never
  signed.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  })
  signed.computeSignature(xml, { location: { reference: '/*', action: 'prepend' } })
  return signed.getSignedXml()
}
