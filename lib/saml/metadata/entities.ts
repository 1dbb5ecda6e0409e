import { entitiesListed } from '../../core/limits.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { createMetadataError } from './faults.ts'

const { metadata } = namespaces
const saml2 = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** An identity provider in metadata. */
export interface Entity {
  readonly entityId: string
  readonly descriptor: XmlElement
  /** Its role as an identity provider. */
  readonly role: XmlElement
  /** From the root of the document to the role, each of which may set an end to what is in it. */
  readonly path: readonly XmlElement[]
}

/** Which identity provider is wanted. */
export interface Choice {
  /** No other one will do. */
  readonly entityId?: string | undefined
  /** The one to take where there are several. */
  readonly preferred?: string | undefined
}

/**
 * The identity provider of metadata (SAML Metadata 2.3): the one that is named, else the only one there is.
 *
 * @throws AppError `invalid_request` when there is none, or several and none is named: it lists them.
 */
export const chooseEntity = (root: XmlElement, { entityId, preferred }: Choice): Entity => {
  const isEntity = isElement(root, metadata, 'EntityDescriptor')
  if (!isEntity && !isElement(root, metadata, 'EntitiesDescriptor'))
    throw createMetadataError('leads to a document that is no SAML metadata')
  const found = identityProviders(root, [])
  if (found.length === 0) throw createMetadataError(whyNone(root))
  const wanted = entityId ?? (found.length > 1 ? preferred : undefined)
  const named = found.filter((entity) => wanted === undefined || entity.entityId === wanted)
  const [first, ...others] = named
  if (first && others.length === 0) return first
  if (first && wanted !== undefined)
    throw createMetadataError('leads to metadata that describes the entity more than once')
  throw createMetadataError(
    entityId === undefined
      ? `leads to several identity providers: add # and the entity id of one; ${listOf(found)}`
      : `leads to metadata without the entity that its fragment names; ${listOf(found)}`,
  )
}

const identityProviders = (element: XmlElement, above: readonly XmlElement[]): readonly Entity[] => {
  const path = [...above, element]
  if (isElement(element, metadata, 'EntitiesDescriptor'))
    return element.children.flatMap((child) => identityProviders(child, path))
  if (!isElement(element, metadata, 'EntityDescriptor')) return []
  const role = rolesOf(element).find(speaksSaml2)
  const entityId = element.attributes.get('entityID') ?? ''
  return role && entityId !== '' ? [{ entityId, descriptor: element, role, path: [...path, role] }] : []
}

const rolesOf = (entity: XmlElement) => getChildren(entity, metadata, 'IDPSSODescriptor')

const speaksSaml2 = ({ attributes }: XmlElement): boolean =>
  (attributes.get('protocolSupportEnumeration') ?? '').split(/\s+/).includes(saml2)

const whyNone = (root: XmlElement): string => {
  if (rolesOf(root).length > 0)
    return 'leads to an identity provider that does not speak SAML 2.0, or has no entity id'
  return getChildren(root, metadata, 'SPSSODescriptor').length > 0
    ? 'leads to the metadata of a service provider: take that of the identity provider'
    : 'leads to metadata without an identity provider'
}

const listOf = (found: readonly Entity[]): string => {
  const listed = found.slice(0, entitiesListed).map(({ entityId }) => entityId.slice(0, 255))
  const rest = found.length - listed.length
  return `there are: ${listed.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}
