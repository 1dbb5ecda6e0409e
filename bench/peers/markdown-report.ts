import { cpus } from 'node:os'
import type { Aim } from './aims.ts'
import type { Installation } from './install-peers.ts'
import { type Figures, inFlight } from '../load/measure.ts'
import type { Options } from './options.ts'

export interface Row {
  readonly scenario: string
  readonly target: string
  readonly figures: Figures
}

const round = (value: number, digits: number): string => {
  const decimals = value >= 100 ? 0 : digits
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map((_, at) => (at < 2 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** Describes the machine, the versions and the run, so that figures can be judged. */
const describeRun = (
  versions: ReadonlyMap<string, Installation>,
  { passes, seconds }: Options,
  date: Date,
): string => {
  const all = cpus()
  const model = all[0]?.model.trim() || 'unknown model'
  const peers = [...versions.values()].map((installation) =>
    'version' in installation ? installation.version : '',
  )
  const problems = [...versions].flatMap(([name, installation]) =>
    'problem' in installation ? [`Not measured: ${name}, because ${installation.problem}.`] : [],
  )
  return [
    `${date.toISOString().slice(0, 10)}, ${all.length} × ${model}, Node.js ${process.versions.node}.`,
    `${[...peers.filter(Boolean)].join('; ')}.`,
    `Medians of ${passes} passes of ${seconds} s, ${inFlight} requests in flight.`,
    ...problems,
  ].join('\n')
}

/** Writes the result of a run as Markdown. */
export const writeReport = (
  rows: readonly Row[],
  aims: readonly Aim[],
  versions: ReadonlyMap<string, Installation>,
  options: Options,
  date = new Date(),
): string => {
  const figures = rows.map(
    ({ scenario, target, figures: { perSecond, p50Ms, p99Ms, cpuMs, failed } }, at) => [
      rows[at - 1]?.scenario === scenario ? '' : scenario,
      target,
      round(perSecond, 1),
      `${round(p50Ms, 1)} / ${round(p99Ms, 1)}`,
      round(cpuMs, 2),
      String(failed),
    ],
  )
  const results = aims.map(({ text, ratio, limit, isMet }) => [
    text,
    isMet ? 'met' : 'missed',
    ratio.toFixed(2),
    limit.toFixed(2),
  ])
  return [
    describeRun(versions, options, date),
    table(['scenario', 'service', 'requests/s', 'p50 / p99 ms', 'CPU ms/request', 'failed'], figures),
    ...(results.length > 0 ? [table(['aim', 'result', 'ratio', 'limit'], results)] : []),
  ].join('\n\n')
}
