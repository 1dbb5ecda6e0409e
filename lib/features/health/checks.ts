import { findUser } from '../../accounts/users/find-users.records.ts'
import { healthCheckMs } from '../../kernel/limits/limits.ts'
import { UnreadableSecret } from '../../kernel/secrets/vault.ts'
import { getEngineFailure } from '../../kernel/table/engine-failure.ts'
import { checkVaultCanary, vaultCheckContext } from '../../kernel/table/vault-canary.ts'
import type { Services } from '../../services.ts'
import type { HealthCheck } from '../audit/overview.models.ts'

type Outcome = Pick<HealthCheck, 'status' | 'detail'>

const ok: Outcome = { status: 'ok', detail: null }

/** Fixed texts, because the messages of errors can contain names of resources and parts of requests. */
const failures = {
  table: 'The table could not be read.',
  vault: 'The key of the vault could not encrypt and decrypt a text.',
  otherKey: 'The vault has another key than the one that encrypted the stored secrets.',
  mail: 'The sender of emails could not be checked.',
} as const

type Work = (services: Services, userId: number) => Promise<Outcome>

const work: Readonly<Record<HealthCheck['name'], Work>> = {
  table: async ({ table }, userId) => {
    await findUser(table, userId)
    const failure = getEngineFailure()
    return failure === undefined ? ok : { status: 'failing', detail: failure }
  },
  vault: async ({ table, vault }) => {
    const text = 'health'
    const cipher = await vault.encrypt(text, vaultCheckContext)
    if ((await vault.decrypt(cipher, vaultCheckContext)) !== text)
      throw new Error('The vault returned another text.')
    await checkVaultCanary(table, vault)
    return ok
  },
  mail: async ({ config }) =>
    config.mailFrom === undefined
      ? { status: 'off', detail: 'No sender is configured, so the service sends no emails.' }
      : ok,
}

/**
 * Checks the parts that the service depends on, all at the same time. A part that does not answer within `healthCheckMs`
 * counts as failing. The cause of a failure is in the log alone.
 */
export const runChecks = (services: Services, userId: number): Promise<readonly HealthCheck[]> =>
  Promise.all(
    (['table', 'vault', 'mail'] as const).map(async (name) => {
      const start = performance.now()
      const outcome = await withTimeLimit(work[name](services, userId)).catch((error: unknown): Outcome => {
        services.log.error('health.failing', { check: name, error })
        const isLate = error instanceof TimeLimitReached
        if (isLate) return { status: 'failing', detail: `No answer within ${healthCheckMs} ms.` }
        return {
          status: 'failing',
          detail: error instanceof UnreadableSecret ? failures.otherKey : explain(name),
        }
      })
      return { name, ...outcome, duration_ms: Math.round(performance.now() - start) }
    }),
  )

const explain = (name: HealthCheck['name']): string =>
  (name === 'table' ? getEngineFailure() : undefined) ?? failures[name]

class TimeLimitReached extends Error {
  constructor() {
    super('The check took too long.')
    this.name = 'TimeLimitReached'
  }
}

const withTimeLimit = async <Result>(checking: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitReached()), healthCheckMs)
  })
  try {
    return await Promise.race([checking, late])
  } finally {
    clearTimeout(timer)
  }
}
