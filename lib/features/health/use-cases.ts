import type { Principal } from '../../accounts/callers/principal.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { getEngineFailure } from '../../kernel/table/engine-failure.ts'
import { version } from '../../kernel/util/version.prebuilt.ts'
import type { Services } from '../../services.ts'
import { isAdministrator } from '../directory/rights/account-rights.ts'
import { runChecks } from './checks.ts'
import type { health } from './operations.ts'

/**
 * Answers that the function runs, without any call. Administrators can have the table, the vault and the mail settings
 * checked as well. Anyone else could use these checks to cause load, and learn how the service is built.
 */
export const getHealth: UseCase<typeof health.getHealth> = async ({ query, principal }, services) => {
  if (!query.deep) return { status: 200, body: { status: 'ok', version } }
  const failure = getEngineFailure()
  // Without its table, the service recognizes no administrator.
  if (failure !== undefined && !principal) return { status: 503, body: describeFailure(failure) }
  const { user } = await requireAdministrator(services, principal)
  const checks = await runChecks(services, user.id)
  // Loaded here, because it is a value of the build.
  const { commit } = await import('../../kernel/util/commit.prebuilt.ts')
  const facts = { version, commit, checks: [...checks] }
  return checks.some(({ status }) => status === 'failing')
    ? { status: 503, body: { status: 'failing', ...facts } }
    : { status: 200, body: { status: 'ok', ...facts } }
}

const describeFailure = (detail: string) => ({
  status: 'failing' as const,
  version,
  checks: [{ name: 'table' as const, status: 'failing' as const, detail, duration_ms: 0 }],
})

const requireAdministrator = async (
  { table }: Services,
  principal: Principal | undefined,
): Promise<Principal> => {
  if (!principal) throw new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
  if (await isAdministrator(table, principal)) return principal
  throw new AppError('permission_denied', {
    detail: 'Only a holder of `system:admin-access` may check the parts of the service.',
  })
}
