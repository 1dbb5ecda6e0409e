import { parentPort } from 'node:worker_threads'
import { passwordWork } from '../lib/kernel/secrets/password-hashes.ts'
import type { HashJob, HashOutcome } from './hash-threads.ts'

/* A thread that hashes and checks passwords, one at a time. */

const run = async (job: HashJob): Promise<HashOutcome> => {
  try {
    const { password, stored, cost } = job
    const value =
      job.kind === 'hash'
        ? await passwordWork.hash(password, cost)
        : await passwordWork.verify(password, stored, cost)
    return { value }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', async (job: HashJob) => parentPort?.postMessage(await run(job)))
