import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { planAttributes } from '../connections/directory-attributes.ts'
import { getSourceName, readSource } from '../provisioning/attribute-sources.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import type { ScimContext } from './scim-context.ts'
import { badRequest, ScimError } from './scim-error.ts'
import { applyPatch } from './scim-patch.ts'
import type { ScimValues } from './scim-values.ts'
import { readUserValues } from './stored-values.ts'
import { getUserType } from './user-type.ts'

interface Sent {
  /** The person as they are stored. Undefined for a new one. */
  readonly before: ScimUserRecord | undefined
  readonly values: ScimValues
  /** The body of a PATCH. Only what it names is checked. */
  readonly patch?: unknown
}

/** The values that a PATCH gives, also those that it does not change. */
const readNamed = (scim: ScimContext, old: ScimValues, patch: unknown): ScimValues => {
  const names = new Set(listMapping(scim).map(({ from }) => getSourceName(from)))
  const others = new Map([...old].filter(([name]) => !names.has(name)))
  try {
    return applyPatch(getUserType(scim), others, patch).values
  } catch (error) {
    // A filter of the request finds an entry only together with the others.
    if (error instanceof ScimError) return new Map()
    throw error
  }
}

const listMapping = ({ caller }: ScimContext) => caller.connection.scim?.userAttributes ?? []

/**
 * Checks the attributes that the account of a person gets, also if they have none yet.
 *
 * @throws ScimError `invalidValue` with the path of a value that the attribute cannot have
 */
export const requireApplicable = async (
  scim: ScimContext,
  { before, values, patch }: Sent,
): Promise<void> => {
  const { table } = scim.services
  if (listMapping(scim).length === 0) return
  const old = before && patch !== undefined ? readUserValues(before) : new Map()
  const named = patch === undefined ? values : readNamed(scim, old, patch)
  const mapping = listMapping(scim).filter(({ from }) => {
    const sent = readSource(values, from)
    const isChanged = JSON.stringify(sent) !== JSON.stringify(readSource(old, from))
    return sent.length > 0 && (isChanged || readSource(named, from).length > 0)
  })
  if (mapping.length === 0) return
  const userId = before && (await findOwnerId(scim, before))
  const user = userId === undefined ? undefined : await findUser(table, userId)
  const { problems } = planAttributes(await findUserAttributes(table), mapping, {
    values,
    stored: user?.attributes ?? noAttributes,
    given: [],
  })
  const [problem] = problems
  if (problem) throw badRequest('invalidValue', `"${problem.path}" ${problem.message}.`)
}
