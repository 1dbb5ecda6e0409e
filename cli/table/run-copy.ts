import { isDeepStrictEqual } from 'node:util'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { formatNumber } from '../progress.ts'
import type { TableCommand } from './command.ts'
import { createSecretMover, withoutCiphers } from './move-secrets.ts'
import { passTable } from './table-pass.ts'

type CopyCommand = Extract<TableCommand, { name: 'copy' }>

/**
 * Copies all items of a table into another one, which can be in another account, and encrypts their secrets with the vault
 * key there. A second run verifies the copy, because it finds each item and copies nothing. Returns the exit code.
 */
export const runCopy = (command: CopyCommand, signal: AbortSignal): Promise<number> => {
  const { to, isDryRun } = command
  let [copied, present] = [0, 0]
  return passTable(
    command,
    { description: `copy --to ${to}`, signal },
    {
      begin: (services) => {
        const moveSecrets = createSecretMover(services)
        const target = openTable({ tableName: to, endpoint: services.config.dynamodbEndpoint })
        return async (item) => {
          const { pk, sk } = item
          const existing = await target.get({ pk, sk })
          if (existing && !(await isCopyOf(existing, item, moveSecrets)))
            throw new CommandFailure(
              `${to} has other items already. Copy into a new table that no service uses.`,
            )
          if (existing) present += 1
          else {
            const moved = await moveSecrets(item)
            if (!isDryRun) await target.put(moved)
            copied += 1
          }
        }
      },
      summarize: (items) =>
        `${formatNumber(items)} items read, ${formatNumber(copied)} ${isDryRun ? 'would be copied' : 'copied'}, ${formatNumber(present)} found in the copy.\n`,
    },
  )
}

/** Whether an item is the copy of another one, apart from the key of its secrets. */
const isCopyOf = async (
  copy: Item,
  original: Item,
  moveSecrets: (item: Item) => Promise<Item>,
): Promise<boolean> => {
  if (isDeepStrictEqual(copy, original)) return true
  return isDeepStrictEqual(withoutCiphers(await moveSecrets(copy)), withoutCiphers(original))
}
