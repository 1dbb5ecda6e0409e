import { pbkdf2Sync } from 'node:crypto'

/** Returns the CPU time of some work in milliseconds, in user and system mode. */
export const cpuMsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * The CPU time of a fixed calculation, in milliseconds. Limits are multiples of it, so that they hold on machines of any
 * speed. Unlike a duration, CPU time hardly depends on other processes.
 */
export const referenceMs = async (): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < 3; round++)
    times.push(await cpuMsOf(async () => pbkdf2Sync('password', 'salt', 50_000, 32, 'sha256')))
  return medianOf(times)
}
