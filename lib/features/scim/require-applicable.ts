import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { planAttributes } from '../connections/directory-attributes.ts'
import { readSource } from '../provisioning/attribute-sources.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import type { ScimContext } from './scim-context.ts'
import { badRequest } from './scim-error.ts'
import type { ScimValues } from './scim-values.ts'
import { readUserValues } from './stored-values.ts'

interface Sent {
  /** The person as they are stored. Undefined for a new one. */
  readonly before: ScimUserRecord | undefined
  readonly values: ScimValues
  /** Whether the request names each attribute, or only those that change. */
  readonly isWhole: boolean
}

/**
 * Checks the attributes that the account of a person gets, also if they have none yet.
 *
 * @throws ScimError `invalidValue` with the path of a value that the attribute cannot have
 */
export const requireApplicable = async (
  scim: ScimContext,
  { before, values, isWhole }: Sent,
): Promise<void> => {
  const { table } = scim.services
  const old = before && !isWhole ? readUserValues(before) : new Map()
  const mapping = (scim.caller.connection.scim?.userAttributes ?? []).filter(({ from }) => {
    const sent = readSource(values, from)
    return sent.length > 0 && JSON.stringify(sent) !== JSON.stringify(readSource(old, from))
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
