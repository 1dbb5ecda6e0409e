import { changeItem } from '../../lib/kernel/table/change-item.ts'
import { formatNumber } from '../progress.ts'
import type { TableCommand } from './command.ts'
import { createSecretMover } from './move-secrets.ts'
import { passTable } from './table-pass.ts'

/** Encrypts all secrets of a table with another vault key, and prints a summary. Returns the exit code. */
export const runReencrypt = (
  command: Extract<TableCommand, { name: 'reencrypt' }>,
  signal: AbortSignal,
): Promise<number> => {
  let [count, skipped] = [0, 0]
  return passTable(
    command,
    { description: 'reencrypt', signal },
    {
      begin: (services) => {
        const moveSecrets = createSecretMover(services)
        return async (item) => {
          const moved = await moveSecrets(item)
          if (moved === item) return
          if (command.isDryRun || (await changeItem(services.table, item, moved))) count += 1
          else skipped += 1
        }
      },
      summarize: (items) => {
        const verb = command.isDryRun ? 'would be encrypted' : 'encrypted'
        const conflicts = `${formatNumber(skipped)} items were changed at the same moment. Run the command again.\n`
        return `${skipped > 0 ? conflicts : ''}${formatNumber(items)} items read, ${formatNumber(count)} ${verb} with the new key.\n`
      },
    },
  )
}
