import { grants, hasPermission } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { resolveSuccessors } from '../../accounts/users/successors.records.ts'
import { toUserMini } from '../../accounts/users/user-body.ts'
import type { ServiceUserMini } from '../../accounts/users/user-fields.models.ts'
import { noClientFields, referUserClientFields } from '../../published-clients/stored-fields.ts'
import type { Services } from '../../services.ts'
import type { AccessLinkRecord, SharedObject } from './link.records.ts'

/*
 * A caller who may not view users sees of a recipient only what the creator of the link sent: the email address, or the
 * ID. Otherwise a link would be a way to read the names and addresses of all users, and to find out who has an account.
 */

/** The caller to whom recipients are shown. */
export interface RecipientViewer {
  readonly userId: number | undefined
  readonly canViewUsers: boolean
}

/** A caller who is known by a link only. */
export const anonymousViewer: RecipientViewer = { userId: undefined, canViewUsers: false }

export const createRecipientViewer = async (
  { table }: Services,
  { user, scopes }: Pick<Principal, 'user' | 'scopes'>,
): Promise<RecipientViewer> => ({
  userId: user.id,
  canViewUsers: (!scopes || grants(scopes, 'users:view')) && (await hasPermission(table, user, 'users:view')),
})

/** A recipient as a viewer may see them. */
export interface ShownRecipient {
  readonly body: ServiceUserMini
  /** The user whose state the viewer may see. Undefined for a deleted one. */
  readonly user: UserRecord | undefined
}

/** Shows the recipients of these IDs. `records` are their records, in the same order. */
export const showRecipients = async (
  { table }: Services,
  ids: readonly number[],
  records: readonly (UserRecord | undefined)[],
  viewer: RecipientViewer,
): Promise<readonly ShownRecipient[]> => {
  const isOwn = (record: UserRecord | undefined) =>
    viewer.userId !== undefined && (record?.id === viewer.userId || record?.successorId === viewer.userId)
  const known = records.map((record) => (viewer.canViewUsers || isOwn(record) ? record : undefined))
  const resolved = await resolveSuccessors(table, known)
  return ids.map((id, at) => {
    if (known[at])
      return { user: resolved[at], body: resolved[at] ? toUserMini(resolved[at]) : showDeleted(id) }
    const record = records[at]
    return { user: record, body: record ? showSent(record) : showDeleted(id) }
  })
}

/** Guests have no other fields than their address, and a random name. */
const showSent = (record: UserRecord): ServiceUserMini =>
  record.hasGuestNames || isGuestUser(record)
    ? toUserMini(record)
    : buildPlaceholder(record.id, `user-${record.id}`, `User ${record.id}`)

/** Replaces a deleted recipient. The link no longer works, but it can still be listed and deleted. */
const showDeleted = (id: number): ServiceUserMini => buildPlaceholder(id, `deleted-${id}`, 'Deleted user')

const buildPlaceholder = (id: number, username: string, displayName: string): ServiceUserMini => ({
  id,
  username,
  display_name: displayName,
  full_name: null,
  email: null,
  is_external: false,
  ...referUserClientFields(noClientFields),
})

/** A shared object as responses, pages, and emails show it. */
interface ShownObject {
  readonly id: number
  readonly name: string
}

/** The bundles and directories of an access link. One that was shared by its ID has a name with this ID. */
export const showObjects = ({
  bundles,
  directories,
}: Pick<AccessLinkRecord, 'bundles' | 'directories'>): {
  readonly bundles: readonly ShownObject[]
  readonly directories: readonly ShownObject[]
} => ({ bundles: bundles.map(show('Bundle')), directories: directories.map(show('Directory')) })

const show =
  (kind: string) =>
  ({ id, name }: SharedObject): ShownObject => ({ id, name: name ?? `${kind} ${id}` })
