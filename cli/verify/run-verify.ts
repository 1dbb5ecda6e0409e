import { writeFile } from 'node:fs/promises'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { version } from '../../lib/kernel/util/version.prebuilt.ts'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { wrapText } from '../report.ts'
import { openAccount } from './account.ts'
import { type CheckResult, placeIn, type RunOptions, runInOrder, startTogether } from './check.ts'
import type { VerifyCommand } from './command.ts'
import { buildConnectionChecks } from './connection.ts'
import { buildNotificationChecks } from './notification-checks.ts'
import { buildOutsideChecks } from './outside.ts'
import { formatProbeReport } from './probe-report.ts'
import { buildProbes, type ProbeOptions } from './probes.ts'
import { buildReleaseChecks } from './release-checks.ts'
import { type ReleaseFile, readReleaseFile } from './release-file.ts'
import { createSend } from './request.ts'
import { buildSignedInChecks, createAdminSend } from './signed-in.ts'
import { buildStackChecks } from './stack-checks.ts'
import { buildTableChecks } from './table-checks.ts'

export type VerifyOptions = Extract<VerifyCommand, { name: 'verify' }>

const checkMs = 15_000
/** The time of all checks together. The deletion of what they created has a time of its own. */
const totalMs = 60_000
/** Probes run one after the other, and wait for messages of CloudWatch. A comparison with a release makes some hundred calls. */
const longTotalMs = 180_000
/** The longest time of a check that makes some calls for each function. */
const compareMs = 60_000
/** The longest time of a probe. */
const probeMs = 45_000

/** Runs all checks, prints their results, and writes the report. Returns the exit code. */
export const runVerify = async (options: VerifyOptions, signal: AbortSignal): Promise<number> => {
  // A file that cannot be written is found before the checks, not after them.
  if (options.report !== undefined) await writeReport(options.report, '', '')
  const release = options.releaseFile === undefined ? undefined : await readReleaseFile(options.releaseFile)
  const results: CheckResult[] = []
  const printer = createPrinter()
  const isLong = options.hasProbes || release !== undefined
  await verifyDeployment(
    { ...options, ...omitUndefined({ release }) },
    {
      signal: AbortSignal.any([signal, AbortSignal.timeout(isLong ? longTotalMs : totalMs)]),
      checkMs,
      onResult: (result) => {
        results.push(result)
        printer.print(result)
      },
    },
  )
  printer.end()
  const summary = formatSummary(results)
  process.stdout.write(summary)
  if (options.report !== undefined) {
    const at = new Date().toISOString()
    const json = { url: options.url, at, version, ...countResults(results), checks: results }
    const text = `latchkey verify ${version}, ${options.url}, ${at}\n\n${groupResults(results).map(formatGroup).join('')}${summary}`
    await writeReport(options.report, `${JSON.stringify(json, undefined, 2)}\n`, text)
    const files = [options.report, `${options.report}.txt`]
    if (options.hasProbes) {
      files.push(`${options.report}.md`)
      await writeReportFile(
        `${options.report}.md`,
        formatProbeReport(results, {
          at,
          version,
          names: [new URL(options.url).host, options.stack, options.table],
        }),
      )
    }
    process.stdout.write(`${wrapText(`Report: ${files.join(', ')}`, '')}\n`)
  }
  if (signal.aborted) return exitCodes.interrupted
  return countResults(results).failed > 0 ? exitCodes.someRefused : exitCodes.done
}

/** Runs all checks. What they created is deleted in any case. */
export const verifyDeployment = async (
  {
    url,
    token,
    mailTo,
    stack,
    table,
    release,
    hasProbes = false,
    now,
    pause,
  }: Omit<VerifyOptions, 'name' | 'report' | 'releaseFile' | 'hasProbes'> & {
    readonly release?: ReleaseFile
    readonly hasProbes?: boolean
  } & Pick<ProbeOptions, 'now' | 'pause'>,
  options: RunOptions,
): Promise<void> => {
  const send = createSend(url, options.callMs)
  const signedIn = buildSignedInChecks({ origin: url, send, token, mailTo })
  const run: RunOptions = {
    ...options,
    onResult: (result) =>
      options.onResult(redact(result, [token ?? '', mailTo ?? '', ...signedIn.secrets()])),
  }
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  const account = openAccount({ origin: url, stack, table, signal })
  const builders = [buildStackChecks, buildTableChecks, buildNotificationChecks]
  const reportOutside = startTogether(
    placeIn('outside', [...buildConnectionChecks(url, send), ...buildOutsideChecks(url, send)]),
    run,
  )
  const reportInside = startTogether(
    placeIn(
      'inside',
      builders.flatMap((build) => build(account)),
    ),
    run,
  )
  await reportOutside()
  await runInOrder(placeIn('signed in', signedIn.checks), run)
  await runInOrder(placeIn('signed in', [signedIn.cleanUp]), { ...run, signal: new AbortController().signal })
  await reportInside()
  if (release) {
    const checks = buildReleaseChecks(account, release, send)
    await runInOrder(placeIn('inside', checks), { ...run, checkMs: compareMs })
  }
  if (hasProbes) {
    const probes = buildProbes({
      origin: url,
      send,
      asAdmin: createAdminSend(send, token),
      account,
      ...omitUndefined({ now, pause }),
    })
    await runInOrder(placeIn('probe', probes), { ...run, checkMs: probeMs })
  }
  ended.abort()
}

const maxDetailLength = 1000

/**
 * Removes secrets, numbers of accounts, and characters that a terminal would obey. A detail can contain texts of the
 * service or of a server before it.
 */
const redact = (result: CheckResult, secrets: readonly string[]): CheckResult => {
  let detail = result.detail
  for (const secret of secrets) if (secret !== '') detail = detail.replaceAll(secret, '…')
  detail = detail
    .replaceAll(/\blk[a-z]_[\w-]+/g, '…')
    .replaceAll(/\b(?:\d{12}|A[KS]IA[A-Z\d]{16})\b/g, '…')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
  return {
    ...result,
    detail: detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength)}…` : detail,
  }
}

const indent = ' '.repeat(9)

/** Results of one line. Without a credential, many checks are skipped for the same reason. */
type Group = readonly [CheckResult, ...CheckResult[]]

const belongsTo = ([first]: Group, { status, detail }: CheckResult): boolean =>
  status === 'skipped' && first.status === 'skipped' && first.detail === detail

const groupResults = (results: readonly CheckResult[]): readonly Group[] => {
  const groups: Group[] = []
  for (const result of results) {
    const last = groups.at(-1)
    if (last && belongsTo(last, result)) groups[groups.length - 1] = [...last, result]
    else groups.push([result])
  }
  return groups
}

/** Prints each line as soon as its last result is known. */
const createPrinter = () => {
  let waiting: Group | undefined
  const end = (): void => {
    if (waiting) process.stdout.write(formatGroup(waiting))
  }
  return {
    print: (result: CheckResult): void => {
      if (waiting && belongsTo(waiting, result)) waiting = [...waiting, result]
      else {
        end()
        waiting = [result]
      }
      if (result.status !== 'skipped') {
        end()
        waiting = undefined
      }
    },
    end,
  }
}

const formatGroup = (group: Group): string => {
  const [{ status, id, title, detail, advice, docs }, ...others] = group
  const names = others.length === 0 ? `${title} (${id})` : group.map((one) => one.id).join(', ')
  const lines = [
    `${status.padEnd(7)}  ${wrapText(`${names}: ${detail}`, indent).trimStart()}`,
    ...(advice === undefined ? [] : [wrapText(`→ ${advice} See ${docs}.`, indent)]),
  ]
  return `${lines.join('\n')}\n`
}

const countResults = (results: readonly CheckResult[]) => {
  const count = (status: CheckResult['status']) => results.filter((one) => one.status === status).length
  return { ok: count('ok'), failed: count('failed'), skipped: count('skipped') }
}

const formatSummary = (results: readonly CheckResult[]): string => {
  const { ok, failed, skipped } = countResults(results)
  return `\n${ok} ok, ${failed} failed, ${skipped} skipped.\n`
}

const writeReport = async (file: string, json: string, text: string): Promise<void> => {
  await writeReportFile(file, json)
  await writeReportFile(`${file}.txt`, text)
}

const writeReportFile = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { mode: 0o600 })
  } catch (error) {
    throw new CommandFailure(
      `The report cannot be written to ${file} (${codeOf(error)}). Choose another file with --report.`,
    )
  }
}
