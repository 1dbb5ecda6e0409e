import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { buildImportSteps } from '../../lib/accounts/directory/import-user.ts'
import type { Services } from '../../lib/services.ts'
import { packSteps, unpackSteps } from '../../lib/store/engine/pack-steps.ts'
import { ConditionFailed, EditConflict, type Step } from '../../lib/store/engine/transaction.ts'
import { retryThrottled } from '../retry-throttled.ts'
import type { UserToWrite } from './user-to-write.ts'
import { listTaken } from './write-user.ts'

/** Users who are written in one transaction, with its steps. */
export interface UserGroup {
  readonly users: readonly UserToWrite[]
  readonly steps: readonly Step[]
}

/** The context of the audit events of an import. */
export const createImportContext = (services: Services, requestId: string): RequestContext => ({
  ...{ address: 'command line', userAgent: '', actor: null },
  requestId,
  at: services.now(),
})

/** Divides users into groups. A user whom one transaction cannot create has a group without steps. */
export const groupUsers = async (
  services: Services,
  users: readonly UserToWrite[],
  context: RequestContext,
): Promise<readonly UserGroup[]> => {
  const alone: UserGroup[] = []
  const planned: { readonly user: UserToWrite; readonly steps: readonly Step[] }[] = []
  for (const user of users) {
    const steps = await buildImportSteps(services, user.id, user.user, context)
    if (steps) planned.push({ user, steps })
    else alone.push({ users: [user], steps: [] })
  }
  const packs = packSteps(planned)
  return [
    ...packs.map((pack) => ({ users: pack.map(({ user }) => user), steps: unpackSteps(pack) })),
    ...alone,
  ]
}

/**
 * Writes a group in one transaction. Returns false if it was rejected, maybe because of one of them: see `writeGroup`.
 */
export const writeTogether = async ({ table }: Services, { users, steps }: UserGroup): Promise<boolean> => {
  if (users.length < 2) return false
  try {
    await retryThrottled(() => table.transact(steps, { recognizesOwnWrites: true }))
    return true
  } catch (error) {
    if (error instanceof EditConflict || listTaken(error) || error instanceof ConditionFailed) return false
    throw error
  }
}
