import { availableParallelism } from 'node:os'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { startHashThreads } from '../../local/hash-threads.ts'
import { cpuMsOf, medianOf } from '../../test/support/cpu-time.ts'
import { passwordCost } from '../load/latchkey-world.ts'
import { type Figures, inFlight, type LoadProcess, measureJob } from '../load/measure.ts'
import { password, type Target } from '../load/scenarios.ts'

export interface SignInRow {
  readonly name: string
  readonly perSecond: number
  /** Requests a second ÷ (cores ÷ time of a hash). It needs a machine without other work. */
  readonly shareOfCores: number
  /** Requests a second ÷ hashes a second in the same number of threads, in the same run. Other work slows both. */
  readonly shareOfHashes: number
  /** CPU time of a hash ÷ CPU time of a request, with all processes. */
  readonly shareOfCpu: number
  readonly p99OverP50: number
  readonly failed: number
}

interface Hashes {
  readonly perSecond: number
  readonly cpuMs: number
}

/** Hashes passwords in as many threads as there are cores for them, without any service. */
const measureHashes = async (cores: number, seconds: number): Promise<Hashes> => {
  const threads = startHashThreads({ maxThreads: cores })
  const stored = await hashPassword(password, passwordCost)
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  const keepHashing = async () => {
    for (; performance.now() < endsAt; count++) await threads.verify(password, stored, passwordCost)
  }
  const startedAt = performance.now()
  const cpuMs = await cpuMsOf(() => Promise.all(Array.from({ length: inFlight }, keepHashing)))
  const perSecond = (count * 1000) / (performance.now() - startedAt)
  await threads.close()
  return { perSecond, cpuMs: cpuMs / count }
}

/** Compares sign-ins with hashes alone, by turns. `alone` is one process with one thread, and uses one core. */
export const measureSignIns = async (
  load: LoadProcess,
  { alone, local }: { readonly alone: Target; readonly local: Target },
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<SignInRow[]> => {
  const rows: SignInRow[] = []
  for (const { target, cores } of [
    { target: local, cores: availableParallelism() },
    { target: alone, cores: 1 },
  ]) {
    const job = target.jobs['sign-in']
    if (!job) throw new Error(`${target.name} lacks the sign-in.`)
    const pairs: { readonly hashes: Hashes; readonly figures: Figures }[] = []
    for (let round = 0; round < rounds; round++)
      pairs.push({
        hashes: await measureHashes(cores, seconds),
        figures: await measureJob(load, job, target.roots, seconds),
      })
    const median = (read: (pair: (typeof pairs)[number]) => number) => medianOf(pairs.map(read))
    rows.push({
      name: target.name,
      perSecond: median(({ figures }) => figures.perSecond),
      shareOfCores: median(({ figures, hashes }) => (figures.perSecond * hashes.cpuMs) / (cores * 1000)),
      shareOfHashes: median(({ figures, hashes }) => figures.perSecond / hashes.perSecond),
      shareOfCpu: median(({ figures, hashes }) => hashes.cpuMs / figures.cpuMs),
      p99OverP50: median(({ figures }) => figures.p99Ms / figures.p50Ms),
      failed: pairs.reduce((sum, { figures }) => sum + figures.failed, 0),
    })
  }
  return rows
}
