import { canShare } from '../../lib/accounts/common/sharing-rights.ts'
import { requireVisibleToken } from '../../lib/accounts/links/access-token-rights.ts'
import { createRecipientViewer, showRecipients } from '../../lib/accounts/links/shown-recipients.ts'
import type { MediaRootPermission } from '../../lib/contract/models/media-permissions.ts'
import { mediaPermissions } from '../../lib/contract/models/media-permissions.ts'
import type { ServiceUserMini } from '../../lib/contract/models/user-fields.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { type AccessTokenRecord, unknownRoot } from '../../lib/store/links/access-token-record.ts'
import { hasExpired } from '../../lib/store/links/access-tokens.ts'

/**
 * Lists the permissions of an access token, one entry for each media root. Objects that were shared by their IDs have an
 * entry with the root 0 and no path. The list is empty if the token has expired,
 * its recipient was deleted, or its creator may no longer create links.
 */
export const getAccessTokenMediaLibraryPermissions: UseCase<
  typeof accessTokens.getAccessTokenMediaLibraryPermissions
> = async ({ params, principal }, services) => {
  const token = await requireVisibleToken(services, principal, params.id)
  if (hasExpired(token, services.now())) return { status: 200, body: [] }
  const [user, creator] = await findUsers(services.table, [token.user, token.createdBy])
  if (!user || !(await canShare(services, creator))) return { status: 200, body: [] }
  const viewer = await createRecipientViewer(services, principal)
  const [recipient] = await showRecipients(services, [user.id], [user], viewer)
  return {
    status: 200,
    body: recipient?.user ? token.roots.map((root) => buildPermission(token, root, recipient.body)) : [],
  }
}

const buildPermission = (
  token: AccessTokenRecord,
  { id, root }: AccessTokenRecord['roots'][number],
  user: ServiceUserMini,
): MediaRootPermission => {
  const objects = [...token.bundles, ...token.directories].filter(
    (object) => (object.root ?? unknownRoot) === root,
  )
  const path = findCommonFolder(objects.map((object) => object.path ?? ''))
  return {
    id,
    ...buildFlags(token.permissions),
    root,
    path,
    full_path: path,
    user,
    group: null,
    is_temporary_for_token: token.id,
  }
}

const names = Object.keys(mediaPermissions(null)) as (keyof ReturnType<typeof mediaPermissions>)[]

const buildFlags = (allowed: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, allowed.includes(name)])) as Record<
    (typeof names)[number],
    boolean
  >

/**
 * Returns the deepest folder that contains all paths, or the path itself if there is only one. Other content of the
 * folder is not shared: the token lists the shared objects.
 */
const findCommonFolder = (paths: readonly string[]): string => {
  const [first = [], ...others] = paths.map((path) => path.split('/'))
  const length = first.findIndex((part, at) => others.some((parts) => parts[at] !== part))
  return (length < 0 ? first : first.slice(0, length)).join('/')
}
