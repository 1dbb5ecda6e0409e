import type { Profiler } from 'node:inspector/promises'

export interface FunctionShare {
  readonly name: string
  /** The package or source file. */
  readonly file: string
  /** Share of the time in which the process worked, from 0 to 1. */
  readonly share: number
}

const mostFunctions = 15
const waiting = new Set(['(root)', '(idle)'])

/** Shortens a URL to the package, or to the path inside of this project. */
const shortenUrl = (url: string): string => {
  const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (packageName) return packageName
  return url.replace(/^.*\/(?=(?:lib|functions|infra|test)\/)/, '')
}

/** Returns the functions that took most time themselves, without what they called. */
export const summarizeProfile = ({
  nodes,
  samples = [],
  timeDeltas = [],
}: Profiler.Profile): FunctionShare[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const times = new Map<string, number>()
  let total = 0
  for (const [at, id] of samples.entries()) {
    const frame = byId.get(id)?.callFrame
    const time = timeDeltas[at] ?? 0
    // The profiler's own work is no work of the service.
    if (!frame || waiting.has(frame.functionName) || frame.url === 'node:inspector') continue
    const key = `${frame.functionName || '(anonymous)'}\n${shortenUrl(frame.url)}`
    times.set(key, (times.get(key) ?? 0) + time)
    total += time
  }
  return [...times]
    .sort(([, left], [, right]) => right - left)
    .slice(0, mostFunctions)
    .map(([key, time]) => {
      const [name = '', file = ''] = key.split('\n')
      return { name, file, share: time / total }
    })
}
