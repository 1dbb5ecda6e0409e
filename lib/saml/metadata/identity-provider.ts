import type { Certificate } from '../certificates.ts'
import { type AddressRules, validateWebAddress } from '../web-address.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { isPlainSignature } from '../xml/signature-form.ts'
import { chooseEntity, type Entity, type EntityChoice } from './entities.ts'
import { readSigningCertificates } from './keys.ts'
import { MetadataError, withMetadataErrors } from './metadata-error.ts'
import { requireUnexpired } from './validity.ts'

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
