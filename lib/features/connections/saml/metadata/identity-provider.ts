import { certificatesPerField } from '../../../../kernel/limits/saml-limits.ts'
import { type AddressRules, validateWebAddress } from '../../web-address.ts'
import { type Certificate, readCertificates, removeDuplicateCertificates } from '../certificates.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { isPlainSignature } from '../xml/signature-form.ts'
import { chooseEntity, type Entity, type EntityChoice } from './entities.ts'
import { MetadataError, withMetadataErrors } from './metadata-error.ts'

/** The metadata of an identity provider, as far as this service uses it. */
export interface IdentityProvider {
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | undefined
  /** Where it accepts responses to its logout requests, if this differs from `sloUrl`. */
  readonly sloResponseUrl: string | undefined
  readonly certificates: readonly Certificate[]
  /** Whether the metadata is signed with one of the trusted certificates. */
  readonly isSigned: boolean
}

export interface MetadataOptions extends AddressRules, EntityChoice {
  readonly nowMs: number
  /**
   * Returns the certificates that are already known for the described entity. If the metadata is signed, one of them
   * must have signed it. If it returns undefined, signatures are ignored.
   */
  readonly findTrustedCertificates?: FindTrustedCertificates
}

export type FindTrustedCertificates = (
  entityId: string,
) => readonly Certificate[] | undefined | Promise<readonly Certificate[] | undefined>

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const maxLength = 255

/**
 * Reads the metadata of an identity provider.
 *
 * @throws MetadataError if it is unreadable, incomplete, expired or not signed by a trusted certificate.
 */
export const readIdentityProvider = async (
  bytes: Uint8Array,
  options: MetadataOptions,
): Promise<IdentityProvider> => {
  const text = withMetadataErrors(() => decodeXml(bytes))
  const root = withMetadataErrors(() => readXml(text))
  const unverified = chooseEntity(root, options)
  const trusted = await options.findTrustedCertificates?.(unverified.entityId)
  const verified = trusted && (await readSignedEntity({ text, root, entity: unverified, trusted }))
  const entity = verified ?? unverified
  // Elements around the signed part may set an earlier expiry date.
  requireUnexpired([...unverified.path, ...entity.path], options.nowMs)
  return { ...describeEntity(entity, options), isSigned: verified !== undefined }
}

interface EntitySource {
  readonly text: string
  readonly root: XmlElement
  readonly entity: Entity
  readonly trusted: readonly Certificate[]
}

/** Reads the same entity from signed octets. Undefined if there is no signature. */
const readSignedEntity = async ({
  text,
  root,
  entity,
  trusted,
}: EntitySource): Promise<Entity | undefined> => {
  const isRootSigned = isSigned(root)
  if (!isRootSigned && !isSigned(entity.descriptor)) return undefined
  if (!findSignatures(isRootSigned ? root : entity.descriptor).every(isPlainSignature))
    throw new MetadataError('leads to metadata whose signature has an unsupported form')
  const { getSignedXml } = await import('../xml/signature.ts')
  const part = isRootSigned ? ({ root: true } as const) : { id: entity.descriptor.attributes.get('ID') ?? '' }
  const pems = trusted.map(({ pem }) => pem)
  const signedRoot = withMetadataErrors(() => readXml(getSignedXml(text, part, pems)))
  return chooseEntity(signedRoot, { entityId: entity.entityId })
}

const findSignatures = (element: XmlElement): readonly XmlElement[] =>
  getChildren(element, namespaces.signature, 'Signature')

const isSigned = (element: XmlElement): boolean => findSignatures(element).length > 0

const describeEntity = (
  { entityId, role }: Entity,
  rules: AddressRules,
): Omit<IdentityProvider, 'isSigned'> => {
  if (entityId.length > maxLength || /\p{C}/u.test(entityId))
    throw new MetadataError(
      `leads to an entity id that is longer than ${maxLength} characters or contains control characters`,
    )
  const ssoUrl = readLocation(role, 'SingleSignOnService', rules)
  if (ssoUrl === undefined)
    throw new MetadataError(
      getChildren(role, namespaces.metadata, 'SingleSignOnService').length > 0
        ? 'leads to an identity provider that does not offer sign-in by HTTP-Redirect: turn that binding on there'
        : 'leads to an identity provider without an address to sign in',
    )
  return {
    entityId,
    ssoUrl,
    sloUrl: readLocation(role, 'SingleLogoutService', rules),
    sloResponseUrl: readLocation(role, 'SingleLogoutService', rules, 'ResponseLocation'),
    certificates: readSigningCertificates(role),
  }
}

/**
 * Reads the address at which a service accepts messages by redirect, or responses to its own messages (SAML Metadata
 * 2.2.2). Undefined if the service has no redirect binding, or no separate address for responses.
 */
const readLocation = (
  role: XmlElement,
  service: string,
  rules: AddressRules,
  attribute: 'Location' | 'ResponseLocation' = 'Location',
): string | undefined => {
  const endpoint = getChildren(role, namespaces.metadata, service).find(
    ({ attributes }) => attributes.get('Binding') === redirectBinding,
  )
  if (!endpoint) return undefined
  const location = (endpoint.attributes.get(attribute) ?? '').trim()
  if (location === '' && attribute === 'ResponseLocation') return undefined
  const error =
    location.length > maxLength
      ? `must be at most ${maxLength} characters long`
      : validateWebAddress(location, rules)
  if (error) throw new MetadataError(`leads to a ${service} whose ${attribute} ${error}`)
  return location
}

const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/**
 * Rejects metadata after the `validUntil` of any element of the path (SAML Metadata 2.3.1). Otherwise an attacker could
 * replay old metadata to bring back a compromised key.
 *
 * @throws MetadataError
 */
const requireUnexpired = (path: readonly XmlElement[], nowMs: number): void => {
  for (const { attributes } of path) {
    const text = attributes.get('validUntil')
    if (text === undefined) continue
    const end = dateTime.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(end)) throw new MetadataError('leads to metadata whose validUntil is not a valid time')
    if (end <= nowMs) throw new MetadataError('leads to metadata that has expired: its validUntil has passed')
  }
}

const { metadata, signature } = namespaces

/**
 * Reads the signing certificates of a role (SAML Metadata 2.4.1.1): those of keys for signing, or without a stated use.
 * Invalid and weak certificates are left out if there are others, and so are the issuers of other certificates.
 *
 * @throws MetadataError if no certificate remains, or there are too many.
 */
const readSigningCertificates = (role: XmlElement): readonly Certificate[] => {
  const data = getChildren(role, metadata, 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') || 'signing') === 'signing')
    .flatMap((descriptor) => getChildren(descriptor, signature, 'KeyInfo'))
    .flatMap((info) => getChildren(info, signature, 'X509Data'))
  const readings = data.map((entry) =>
    getChildren(entry, signature, 'X509Certificate').map(({ text }) => readCertificates(text)),
  )
  const certificates = removeDuplicateCertificates(
    readings.flatMap((entry) =>
      removeIssuers(limitCertificates(entry.flatMap((reading) => reading.certificates))),
    ),
  )
  if (certificates.length === 0) {
    const [error] = readings.flat().flatMap(({ errors }) => errors)
    throw new MetadataError(
      error === undefined
        ? 'leads to an identity provider without a certificate to verify its signatures'
        : `leads to an identity provider whose signing certificate cannot be used: it ${error}`,
    )
  }
  return limitCertificates(certificates)
}

/** Removes duplicates, and limits the number because each certificate is compared with each other one. */
const limitCertificates = (certificates: readonly Certificate[]): readonly Certificate[] => {
  const distinct = removeDuplicateCertificates(certificates)
  if (distinct.length > certificatesPerField)
    throw new MetadataError(
      `leads to an identity provider with more than ${certificatesPerField} certificates`,
    )
  return distinct
}

/** Metadata may contain the chain of a certificate. Only the certificate itself signs messages. */
const removeIssuers = (certificates: readonly Certificate[]): readonly Certificate[] =>
  certificates.filter((one) => !certificates.some((other) => hasIssued(one, other)))

/**
 * Whether one certificate issued another one. This includes the signature, because the old and the new certificate of a
 * rotation often have the same name. Certificates of the same key are never issuer and subject.
 */
const hasIssued = (one: Certificate, other: Certificate): boolean =>
  one.keyFingerprint !== other.keyFingerprint &&
  other.x509.checkIssued(one.x509) &&
  other.x509.verify(one.x509.publicKey)
