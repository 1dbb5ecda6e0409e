import { auditStep } from '../../accounts/events/write-event.ts'
import type { UseCase } from '../../http/use-case.ts'
import { type ManagedKind, managedKinds } from '../../kernel/contract/managed-kinds.ts'
import { notFound, requireFound } from '../../kernel/errors/errors.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { isChosenId } from '../oauth/clients.models.ts'
import type { ManagedThing } from './managed.models.ts'
import type { managed } from './managed.operations.ts'
import {
  buildUnlockSteps,
  findManaged as findByKey,
  idOfSettings,
  listSettingsKeys,
  type ManagedMark,
  readManagedOf,
} from './managed.records.ts'

export const findManaged: UseCase<typeof managed.findManaged> = async ({ params, query }, services) => {
  const kind = requireKind(params.kind)
  const ids = [...new Set(query.ids ?? listSettingsIds(services, kind))].toSorted((a, b) => a - b)
  return { status: 200, body: (await readManagedOf(services.table, kind, ids)).map(toManagedThing) }
}

/** The IDs of the settings of a kind. */
const listSettingsIds = ({ config }: Services, kind: ManagedKind): readonly number[] =>
  listSettingsKeys(config, kind).map((key) => idOfSettings(kind, key))

/** @throws AppError `not_found` */
const requireKind = (given: string): ManagedKind =>
  requireFound(
    managedKinds.find((one) => one === given),
    'kind',
    'Use a kind that configuration documents have.',
  )

/** Lets people change a thing. If somebody did so before, the record keeps the first. */
export const unlockManaged: UseCase<typeof managed.unlockManaged> = async (
  { params, principal, context },
  { table, now, config },
) => {
  const { key } = params
  const kind = requireKind(params.kind)
  // No other text is a key, and some do not fit into one of the table.
  if (!isChosenId(key) && !listSettingsKeys(config, kind).includes(key))
    throw notFound('managed thing', 'Check its kind and key.')
  const unlocked = await retryConflicts(async () => {
    const record = await findByKey(table, kind, key)
    if (!record || record.deletedAt !== undefined) throw notFound('managed thing', 'Check its kind and key.')
    if (record.unlocked) return record
    const change = { by: principal.user.id, at: now() }
    await table.transact([
      ...buildUnlockSteps(record, change),
      auditStep(context, 'managed.unlocked', { target: `${record.kind} ${record.key}` }),
    ])
    return { ...record, unlocked: change }
  }, 'The configuration was applied at the same time. Try again.')
  return { status: 200, body: toManagedThing(unlocked) }
}

const toManagedThing = ({ kind, id, key, owner, unlocked }: ManagedMark): ManagedThing => ({
  ...{ kind, id, key, owner },
  unlocked_by: unlocked?.by ?? null,
  unlocked_at: unlocked ? formatTime(unlocked.at) : null,
})
