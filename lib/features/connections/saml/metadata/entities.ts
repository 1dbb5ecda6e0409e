import { entitiesListed } from '../../../../kernel/limits/saml-limits.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { MetadataError } from './metadata-error.ts'

const { metadata } = namespaces
const saml2 = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** An identity provider in metadata. */
export interface Entity {
  readonly entityId: string
  readonly descriptor: XmlElement
  /** Its role as an identity provider. */
  readonly role: XmlElement
  /** The elements from the root of the document to the role. Each of them may set an expiry date. */
  readonly path: readonly XmlElement[]
}

/** Selects the identity provider. */
export interface EntityChoice {
  /** The required entity ID. */
  readonly entityId?: string | undefined
  /** The entity ID to select if there are several and `entityId` is undefined. */
  readonly preferred?: string | undefined
}

/**
 * Selects an identity provider of the metadata (SAML Metadata 2.3): the chosen one, or the only one.
 *
 * @throws MetadataError if there is none, or several without a choice. The error then lists their entity IDs.
 */
export const chooseEntity = (root: XmlElement, { entityId, preferred }: EntityChoice): Entity => {
  const isEntity = isElement(root, metadata, 'EntityDescriptor')
  if (!isEntity && !isElement(root, metadata, 'EntitiesDescriptor'))
    throw new MetadataError('leads to a document that is not SAML metadata')
  const entities = findIdentityProviders(root, [])
  if (entities.length === 0) throw new MetadataError(explainNone(root))
  const chosenId = entityId ?? (entities.length > 1 ? preferred : undefined)
  const matches = entities.filter((entity) => chosenId === undefined || entity.entityId === chosenId)
  const [first, ...others] = matches
  if (first && others.length === 0) return first
  if (first && chosenId !== undefined)
    throw new MetadataError('leads to metadata that describes the entity more than once')
  throw new MetadataError(
    entityId === undefined
      ? `leads to several identity providers: add # and the entity id of one; ${listEntities(entities)}`
      : `leads to metadata without the entity that its fragment names; ${listEntities(entities)}`,
  )
}

const findIdentityProviders = (element: XmlElement, ancestors: readonly XmlElement[]): readonly Entity[] => {
  const path = [...ancestors, element]
  if (isElement(element, metadata, 'EntitiesDescriptor'))
    return element.children.flatMap((child) => findIdentityProviders(child, path))
  if (!isElement(element, metadata, 'EntityDescriptor')) return []
  const role = findRoles(element).find(supportsSaml2)
  const entityId = element.attributes.get('entityID') ?? ''
  return role && entityId !== '' ? [{ entityId, descriptor: element, role, path: [...path, role] }] : []
}

const findRoles = (entity: XmlElement) => getChildren(entity, metadata, 'IDPSSODescriptor')

const supportsSaml2 = ({ attributes }: XmlElement): boolean =>
  (attributes.get('protocolSupportEnumeration') ?? '').split(/\s+/).includes(saml2)

const explainNone = (root: XmlElement): string => {
  if (findRoles(root).length > 0)
    return 'leads to an identity provider that does not support SAML 2.0, or has no entity id'
  return getChildren(root, metadata, 'SPSSODescriptor').length > 0
    ? 'leads to the metadata of a service provider: use that of the identity provider'
    : 'leads to metadata without an identity provider'
}

const listEntities = (entities: readonly Entity[]): string => {
  const listed = entities.slice(0, entitiesListed).map(({ entityId }) => entityId.slice(0, 255))
  const rest = entities.length - listed.length
  return `found: ${listed.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}
