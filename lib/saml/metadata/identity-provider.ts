import type { Certificate } from '../certificates.ts'
import { type AddressRules, validateWebAddress } from '../web-address.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { isPlainSignature } from '../xml/signature-form.ts'
import { type Choice, chooseEntity, type Entity } from './entities.ts'
import { createMetadataError, withMetadataErrors } from './faults.ts'
import { readSigningCertificates } from './keys.ts'
import { requireValid } from './validity.ts'

/** What the metadata of an identity provider says, as far as it concerns us. */
export interface IdentityProvider {
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | undefined
  /** Where it takes the answers to its own logout messages, if that is another address. */
  readonly sloResponseUrl: string | undefined
  readonly certificates: readonly Certificate[]
  /** Whether one of the certificates that were trusted before vouches for it. */
  readonly isSigned: boolean
}

export interface ReadingOptions extends AddressRules, Choice {
  readonly nowMs: number
  /**
   * The certificates that are known already of the entity that is described: a signature, where there is one, must be by
   * one of these. Undefined where none are known, and then a signature says nothing.
   */
  readonly trusted?: TrustedOf
}

export type TrustedOf = (
  entityId: string,
) => readonly Certificate[] | undefined | Promise<readonly Certificate[] | undefined>

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const longest = 255

/**
 * Reads metadata as it came from somewhere.
 *
 * @throws AppError `invalid_request` that says what in it is not to be read, missing, expired or not vouched for.
 */
export const readIdentityProvider = async (
  bytes: Uint8Array,
  options: ReadingOptions,
): Promise<IdentityProvider> => {
  const text = withMetadataErrors(() => decodeXml(bytes))
  const root = withMetadataErrors(() => readXml(text))
  const found = chooseEntity(root, options)
  const trusted = await options.trusted?.(found.entityId)
  const signed = trusted && (await signedEntity(text, root, found, trusted))
  const entity = signed ?? found
  // Its signature vouches for a part; what stands around it may still end it earlier.
  requireValid([...found.path, ...entity.path], options.nowMs)
  return { ...describe(entity, options), isSigned: signed !== undefined }
}

/** The same entity read from nothing but signed bytes; undefined where there is no signature. */
const signedEntity = async (
  text: string,
  root: XmlElement,
  entity: Entity,
  trusted: readonly Certificate[],
): Promise<Entity | undefined> => {
  const isRootSigned = isSigned(root)
  if (!isRootSigned && !isSigned(entity.descriptor)) return undefined
  if (!signaturesOf(isRootSigned ? root : entity.descriptor).every(isPlainSignature))
    throw createMetadataError('leads to metadata whose signature has a form that is not read')
  const { getSignedXml } = await import('../xml/signature.ts')
  const part = isRootSigned ? ({ root: true } as const) : { id: entity.descriptor.attributes.get('ID') ?? '' }
  const pems = trusted.map(({ pem }) => pem)
  const signedRoot = withMetadataErrors(() => readXml(getSignedXml(text, part, pems)))
  return chooseEntity(signedRoot, { entityId: entity.entityId })
}

const signaturesOf = (element: XmlElement): readonly XmlElement[] =>
  getChildren(element, namespaces.signature, 'Signature')
const isSigned = (element: XmlElement): boolean => signaturesOf(element).length > 0

const describe = ({ entityId, role }: Entity, rules: AddressRules): Omit<IdentityProvider, 'isSigned'> => {
  if (entityId.length > longest || /\p{C}/u.test(entityId))
    throw createMetadataError(
      `leads to an entity id that is longer than ${longest} characters or holds control characters`,
    )
  const ssoUrl = locationOf(role, 'SingleSignOnService', rules)
  if (ssoUrl === undefined)
    throw createMetadataError(
      getChildren(role, namespaces.metadata, 'SingleSignOnService').length > 0
        ? 'leads to an identity provider that takes no sign-in by HTTP-Redirect, which is how it is asked here: turn that binding on'
        : 'leads to an identity provider without an address to sign in',
    )
  return {
    entityId,
    ssoUrl,
    sloUrl: locationOf(role, 'SingleLogoutService', rules),
    sloResponseUrl: locationOf(role, 'SingleLogoutService', rules, 'ResponseLocation'),
    certificates: readSigningCertificates(role),
  }
}

/**
 * Where the role takes messages by redirect, or the answers to its own (SAML Metadata 2.2.2); undefined where it does by
 * other ways alone, or at no address of their own.
 */
const locationOf = (
  role: XmlElement,
  service: string,
  rules: AddressRules,
  attribute: 'Location' | 'ResponseLocation' = 'Location',
): string | undefined => {
  const endpoint = getChildren(role, namespaces.metadata, service).find(
    ({ attributes }) => attributes.get('Binding') === redirect,
  )
  if (!endpoint) return undefined
  const location = (endpoint.attributes.get(attribute) ?? '').trim()
  if (location === '' && attribute === 'ResponseLocation') return undefined
  const fault =
    location.length > longest
      ? `must be at most ${longest} characters long`
      : validateWebAddress(location, rules)
  if (fault) throw createMetadataError(`leads to a ${service} whose ${attribute} ${fault}`)
  return location
}
