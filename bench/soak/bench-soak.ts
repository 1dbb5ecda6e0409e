import { withAws } from '../../local/aws-environment.ts'
import { startEngine } from '../../local/dynamodb.ts'
import { runSoak } from './run-soak.ts'

/** Runs a soak with an engine of its own and prints its summary. Returns the exit code. */
export const benchSoak = async (minutes: number): Promise<number> => {
  const engine = await startEngine({ dataDir: ':memory:' })
  process.env = { ...withAws(process.env, { isOwnEngine: true }), DYNAMODB_ENDPOINT: engine.endpoint }
  try {
    const { summary, problems } = await runSoak({
      durationMs: minutes * 60_000,
      seed: Date.now(),
      inFlight: 24,
      onProgress: (line) => process.stderr.write(`${line}\n`),
    })
    for (const problem of problems) process.stderr.write(`${problem}\n`)
    process.stdout.write(`${summary}\n`)
    return problems.length > 0 ? 1 : 0
  } finally {
    await engine.close()
  }
}
