import { setTimeout as delay } from 'node:timers/promises'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { consume } from '../../lib/accounts/common/throttle.ts'
import { detectCredentialKind } from '../../lib/accounts/sign-in/authentication.ts'
import type { leaks } from '../../lib/contract/operations/leaks.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import { leakReportDurationMs, leaksAtOnce } from '../../lib/limits/limits.ts'
import { parseCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { mapInBatches } from '../../lib/util/map-in-batches.ts'
import { getNetwork } from '../../lib/util/network.ts'
import { endLeakedCustomToken } from './api-tokens.ts'
import { leakHandlers } from './leak-handlers.ts'

/**
 * Ends credentials that were found in public. The possession of a credential is the only proof that the report needs.
 * The response is the same for known, unknown and malformed values.
 */
export const reportLeakedCredentials: UseCase<typeof leaks.reportLeakedCredentials> = async (
  { body, context },
  services,
) => {
  const startedAt = performance.now()
  await consume(services, 'leakReports', getNetwork(context.address))
  const values = [...new Set(readValues(body))]
  // One credential that cannot be ended now must not protect the others.
  const results = await mapInBatches(values, leaksAtOnce, (value) =>
    Promise.allSettled([endLeaked(services, context, value)]),
  )
  const failed = results.flat().find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  // Ending a credential takes longer than finding none. The same least duration hides the difference.
  await delay(Math.max(0, leakReportDurationMs - (performance.now() - startedAt)))
  return { status: 204 }
}

const readValues = (body: UseCaseRequest<typeof leaks.reportLeakedCredentials>['body']): readonly string[] =>
  Array.isArray(body)
    ? body.map(({ token }) => token)
    : [...(body.credentials ?? []), ...(body.token === undefined ? [] : [body.token])]

const endLeaked = async (services: Services, context: RequestContext, value: string): Promise<void> => {
  const credential = parseCredential(value)
  if (credential) return leakHandlers[credential.kind](services, context, credential)
  if (detectCredentialKind(value) === 'api_token') await endLeakedCustomToken(services, context, value)
}
