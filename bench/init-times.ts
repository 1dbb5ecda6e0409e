import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bundle, bundleFunctions, functionNames } from '../build/bundle/bundle.ts'
import { medianOf } from '../test/support/cpu-time.ts'

/** Medians in milliseconds, without those of an empty handler. */
interface Duration {
  readonly ms: number
  /** CPU time of all threads. */
  readonly cpuMs: number
  /** CPU time of the thread that imports the bundle. A start lasts as long, on a machine that does nothing else. */
  readonly threadMs: number
}

export interface InitTime {
  readonly name: string
  readonly tunedBytes: number
  readonly untunedBytes: number
  readonly tuned: Duration
  readonly untuned: Duration
}

const child = fileURLToPath(new URL('init-child.ts', import.meta.url))

const environment = {
  TABLE_NAME: 'table',
  PUBLIC_URL: 'https://auth.example.com',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
}

const measureOne = (file: string): Duration =>
  JSON.parse(execFileSync(process.execPath, [child, file], { env: environment, encoding: 'utf8' }))

const variants = ['empty', 'tuned', 'untuned'] as const
type Variant = (typeof variants)[number]

/**
 * Measures the import of the bundles of functions in new processes, of all if none are named. Every round measures an empty handler, the deployed
 * bundle, and the output of esbuild without tuning, so that a busy machine affects all three.
 */
export const measureInit = async (
  rounds: number,
  onRound: (round: number) => void,
  groups: readonly string[] = functionNames(),
): Promise<readonly InitTime[]> => {
  const dir = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  try {
    const tuned = await bundleFunctions({ outDir: join(dir, 'tuned'), groups })
    const untuned = await bundleFunctions({ outDir: join(dir, 'untuned'), groups, tuned: false })
    for (const { name } of tuned) writeEmpty(join(dir, 'empty', name))
    const times = new Map<string, Duration[]>()
    for (let round = 1; round <= rounds; round++) {
      onRound(round)
      for (const { name } of tuned) {
        for (const variant of variants) {
          const file = join(dir, variant, name, 'index.mjs')
          times.set(file, [...(times.get(file) ?? []), measureOne(file)])
        }
      }
    }
    const timesOf = (variant: Variant, name: string) => times.get(join(dir, variant, name, 'index.mjs')) ?? []
    const subtractEmpty = (variant: Variant, name: string): Duration => {
      const median = (key: keyof Duration) =>
        medianOf(timesOf(variant, name).map((time) => time[key])) -
        medianOf(timesOf('empty', name).map((time) => time[key]))
      return { ms: median('ms'), cpuMs: median('cpuMs'), threadMs: median('threadMs') }
    }
    return tuned.map(({ name, bytes }) => ({
      name,
      tunedBytes: bytes,
      untunedBytes: bytesOf(untuned, name),
      tuned: subtractEmpty('tuned', name),
      untuned: subtractEmpty('untuned', name),
    }))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const writeEmpty = (dir: string): void => {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'index.mjs'), 'export const handler = async () => {}\n')
}

const bytesOf = (bundles: readonly Bundle[], name: string): number =>
  bundles.find((bundle) => bundle.name === name)?.bytes ?? Number.NaN
