import { changeSteps } from '../../accounts/events/change-event.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { toDisplayText } from '../../kernel/contract/text-rules.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import type { ScimContext } from './scim-context.ts'
import type { ScimValues } from './scim-values.ts'
import { readEntries, readText, readUserValues } from './stored-values.ts'

/** The name of a person that accounts show. */
const readFullName = (values: ScimValues): string | null => {
  const [name] = readEntries(values, 'name')
  const part = (key: string): string => String(name?.get(key) ?? '')
  const parts = [part('givenName'), part('familyName')].filter((text) => text !== '').join(' ')
  const full = readText(values, 'displayName') ?? (part('formatted') || parts)
  return full === '' ? null : toDisplayText(full, 255)
}

/**
 * Gives an account that the directory brought the name that the person has there now. An account with rights of its own keeps the name by
 * which others know it.
 */
export const renameAccount = async (
  scim: ScimContext,
  before: ScimUserRecord,
  after: ScimUserRecord,
): Promise<void> => {
  const [old, fresh] = [before, after].map((one) => readFullName(readUserValues(one)))
  if (!after.madeUser || fresh === undefined || fresh === null || fresh === old) return
  const { services, context } = scim
  const userId = await findOwnerId(scim, after)
  await retryConflicts(async () => {
    const user = userId === undefined ? undefined : await findUser(services.table, userId)
    if (!user || user.permissions.length > 0 || user.full_name === fresh) return
    const change = { full_name: fresh }
    await editUser(services.table, user, change, {
      extraSteps: changeSteps(context, 'user.changed', { user: user.id, change: toUserChange(user, change) }),
    })
  }, 'The account kept changing. Send the request again.')
}
