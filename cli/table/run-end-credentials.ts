import { randomUUID } from 'node:crypto'
import { applyEnd, type EndedKind } from '../../lib/features/leaked-credentials/apply-end.records.ts'
import { getTimeStep } from '../../lib/kernel/secrets/totp.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { formatNumber } from '../progress.ts'
import type { TableCommand } from './command.ts'
import { passTable } from './table-pass.ts'

type EndCommand = Extract<TableCommand, { name: 'end-credentials' }>

/** Ends credentials of all users, and prints a summary. Returns the exit code. */
export const runEndCredentials = (command: EndCommand, signal: AbortSignal): Promise<number> => {
  const { isRestored, passwords, apiTokens, recoveryCodes, accessLinks, isDryRun } = command
  const counts = new Map<EndedKind, number>()
  return passTable(
    command,
    { description: describeCommand(command), signal },
    {
      begin: ({ table, config, now }, startedAt) => {
        const replaced =
          command.replaced === undefined
            ? undefined
            : openTable({ tableName: command.replaced, endpoint: config.dynamodbEndpoint })
        const options = { isRestored, passwords, apiTokens, recoveryCodes, accessLinks }
        const run = { table, replaced, isDryRun, requestId: `end-credentials-${randomUUID()}` }
        return async (item) => {
          const nowMs = now()
          const times = { at: startedAt, timeStep: getTimeStep(nowMs) }
          const kind = await applyEnd({ ...run, nowMs, options: { ...options, ...times } }, item)
          if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1)
        }
      },
      summarize: (items) => {
        const verb = isDryRun ? 'would be ended' : 'ended'
        const lines = [...counts].map(
          ([kind, count]) => `${kind}: ${formatNumber(count)}${verbOf(kind, verb)}`,
        )
        lines.push(`${formatNumber(items)} items read.`)
        return `${lines.sort().join('\n')}\n`
      },
    },
  )
}

/** What goes on with other credentials, roles or numbers. */
const changedKinds: readonly EndedKind[] = ['users', 'counters', 'memberships', 'organizations']

const verbOf = (kind: EndedKind, verb: string): string => {
  if (kind === 'organizations to check') return ''
  return ` ${changedKinds.includes(kind) ? verb.replace('ended', 'changed') : verb}`
}

const describeCommand = (command: EndCommand): string =>
  [
    command.name,
    ...(command.isRestored ? ['--restored'] : []),
    ...(command.replaced === undefined ? [] : [`--replaced ${command.replaced}`]),
    `--passwords ${command.passwords}`,
    `--api-tokens ${command.apiTokens}`,
    `--recovery-codes ${command.recoveryCodes}`,
    `--access-links ${command.accessLinks}`,
  ].join(' ')
