import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatNumber } from '../progress.ts'
import { type FoundCredential, findCredentials } from '../users/run-export.ts'
import type { LeaksCommand } from './command.ts'

type ReportCommand = Extract<LeaksCommand, { name: 'report' }>

/** One report may contain this many. */
const batchSize = 100
const attempts = 5

/** Reports the credentials in a file, and prints a summary. Returns the exit code. */
export const runReport = async (
  { file, url, isDryRun, hasValues }: ReportCommand,
  signal: AbortSignal,
): Promise<number> => {
  const found = await findCredentials(file, hasValues)
  process.stdout.write(describe(found))
  if (isDryRun) return exitCodes.done
  for (let from = 0; from < found.length; from += batchSize) {
    if (signal.aborted) {
      process.stdout.write(`Interrupted after ${formatNumber(from)}. Run the same command again.\n`)
      return exitCodes.interrupted
    }
    await report(url, found.slice(from, from + batchSize))
  }
  process.stdout.write(`${formatNumber(found.length)} credentials reported.\n`)
  return exitCodes.done
}

const describe = (found: readonly FoundCredential[]): string => {
  const kinds = [...new Set(found.map(({ kind }) => kind))].sort()
  return kinds
    .map((kind) => `${kind}: ${formatNumber(found.filter((one) => one.kind === kind).length)}\n`)
    .join('')
}

/** Waits when the service asks for it: an address may send a limited number of reports. */
const report = async (url: string, found: readonly FoundCredential[]): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const response = await send(url, found)
    if (response.ok) return
    const waitSeconds = Number(response.headers.get('retry-after') ?? 1)
    if (attempt === attempts || (response.status !== 429 && response.status < 500))
      throw new CommandFailure(
        `The service answered with status ${response.status}. Run the same command again.`,
      )
    await sleep(waitSeconds * 1000)
  }
}

const send = (url: string, found: readonly FoundCredential[]): Promise<Response> =>
  fetch(`${url}/api/2/auth/leaked`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ credentials: found.map(({ value }) => value) }),
  }).catch(() => {
    throw new CommandFailure(`${url} cannot be reached. Run the same command again.`)
  })
