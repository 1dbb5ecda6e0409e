import { randomUUID } from 'node:crypto'
import { auditStep } from '../../lib/accounts/events/write-event.ts'
import { findGroupIds, findGroups, groupKind } from '../../lib/accounts/groups/groups.records.ts'
import { normalizeUsername, validateUsername } from '../../lib/accounts/names/names.ts'
import { readGroupFields } from '../../lib/features/directory/groups/group-body.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { createUniqueNameRecord, NameTaken } from '../../lib/kernel/table/unique-name-records.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { retryThrottled } from '../pool.ts'
import { createImportContext } from '../users/import-users.ts'

const nameLength = 255
/** More names than that are no groups that people administer. */
const groupLimit = 5000

/** Whether a group can get this name. */
export const isGroupName = (name: string): boolean =>
  name.length > 0 && name.length <= nameLength && validateUsername(name) === undefined

/** The names of groups in an export, each once. */
export interface GroupNames {
  /** @throws CommandFailure if there are too many */
  readonly add: (name: string) => void
  readonly list: () => readonly string[]
}

export const collectGroupNames = (): GroupNames => {
  const names = new Map<string, string>()
  return {
    add: (name) => {
      if (!isGroupName(name) || names.has(normalizeUsername(name))) return
      if (names.size >= groupLimit)
        throw new CommandFailure(`The file has more than ${groupLimit} groups. Import it in parts.`)
      names.set(normalizeUsername(name), name)
    },
    list: () => [...names.values()],
  }
}

interface GroupPlan {
  /** Groups that do not exist yet. */
  readonly missing: readonly string[]
  /** Existing groups that give permissions to the users who join them. */
  readonly privileged: readonly string[]
}

/** Compares the groups of an export with those of the table. */
export const planGroups = async (table: Table, names: readonly string[]): Promise<GroupPlan> => {
  const ids = await retryThrottled(() => findGroupIds(table, names.map(normalizeUsername)))
  const known = ids.filter((id) => id !== undefined)
  const groups = await retryThrottled(() => findGroups(table, known))
  return {
    missing: names.filter((_, at) => ids[at] === undefined),
    privileged: groups.filter(({ permissions }) => permissions.length > 0).map(({ name }) => name),
  }
}

/** Creates groups without permissions. A group that another run has just created is fine. */
export const createGroups = async (services: Services, names: readonly string[]): Promise<void> => {
  const context = createImportContext(services, `migrate-${randomUUID()}`)
  for (const name of names) {
    const fields = readGroupFields({ name, permissions: [] })
    try {
      await retryThrottled(() =>
        createUniqueNameRecord(services.table, groupKind, fields, (id) => [
          auditStep(context, 'group.created', { target: String(id) }),
        ]),
      )
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error
    }
  }
}
