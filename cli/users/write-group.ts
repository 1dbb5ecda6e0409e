import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { Services } from '../../lib/services.ts'
import { findAllClaims } from './find-all-claims.ts'
import { decideRejected, noClaims } from './import-decision.ts'
import type { UserToWrite } from './user-to-write.ts'
import { groupUsers, type UserGroup, writeTogether } from './write-together.ts'
import { type WriteResult, writeUser } from './write-user.ts'

export interface WrittenUser {
  readonly user: UserToWrite
  readonly result: WriteResult
}

/**
 * Writes the users of a group in one transaction. `onRejected` is called if the table rejects it: either none of them was
 * written, or all of them were and the answer was lost. Then those whose names are free are written together again if
 * others were the reason, and else alone. So the result of each line is exact.
 */
export async function* writeGroup(
  services: Services,
  group: UserGroup,
  context: RequestContext,
  onRejected: () => void,
): AsyncGenerator<WrittenUser> {
  const { users } = group
  if (await writeTogether(services, group)) return yield* users.map(toImported)
  if (users.length < 2) return yield* writeAlone(services, users, context)
  onRejected()
  const lines = users.map(({ line }) => line)
  const claims = await findAllClaims(services.table, lines)
  const free: UserToWrite[] = []
  for (const [at, user] of users.entries()) {
    const result = decideRejected(user, claims[at] ?? noClaims)
    if (result === 'free') free.push(user)
    else yield { user, result }
  }
  if (free.length === users.length) return yield* writeAlone(services, free, context)
  for (const others of await groupUsers(services, free, context))
    if (await writeTogether(services, others)) yield* others.users.map(toImported)
    else yield* writeAlone(services, others.users, context)
}

const toImported = (user: UserToWrite): WrittenUser => ({ user, result: 'imported' })

async function* writeAlone(
  services: Services,
  users: readonly UserToWrite[],
  context: RequestContext,
): AsyncGenerator<WrittenUser> {
  for (const user of users) yield { user, result: await writeUser(services, user, context) }
}
