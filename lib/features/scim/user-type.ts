import type { AttributeSource } from '../provisioning/attribute-sources.models.ts'
import { getSourceName } from '../provisioning/attribute-sources.ts'
import { mappedUserAttributes, resourceTypes, type ScimResourceType } from './attributes.models.ts'
import type { ScimContext } from './scim-context.ts'

/** By the names of the attributes that they have besides those of each connection. There are few. */
const types = new Map<string, ScimResourceType>()

/** What a connection stores of people: some attributes only if its settings make them attributes of accounts. */
export const getUserType = ({ caller: { connection } }: Pick<ScimContext, 'caller'>): ScimResourceType =>
  buildUserType((connection.scim?.userAttributes ?? []).map(({ from }) => from))

const buildUserType = (sources: readonly AttributeSource[]): ScimResourceType => {
  const names = new Set(sources.map(getSourceName))
  const added = mappedUserAttributes.filter(({ name }) => names.has(name))
  if (added.length === 0) return resourceTypes.User
  const id = added.map(({ name }) => name).join(' ')
  const known = types.get(id)
  if (known) return known
  const { schema, ...rest } = resourceTypes.User
  const built = { ...rest, schema: { ...schema, attributes: [...schema.attributes, ...added] } }
  types.set(id, built)
  return built
}
