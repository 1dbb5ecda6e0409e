import { setTimeout as delay } from 'node:timers/promises'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { leakReportDurationMs, leaksAtOnce } from '../../kernel/limits/limits.ts'
import { hashCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { leaks } from '../leaks.ts'
import { detectCredentialKind } from '../sign-in/authentication.ts'
import type { leaks as operations } from './operations.ts'

/**
 * Ends credentials that were found in public. The possession of a credential is the only proof that the report needs.
 * The response is the same for known, unknown and malformed values.
 */
export const reportLeakedCredentials: UseCase<typeof operations.reportLeakedCredentials> = async (
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

const readValues = (
  body: UseCaseRequest<typeof operations.reportLeakedCredentials>['body'],
): readonly string[] =>
  Array.isArray(body)
    ? body.map(({ token }) => token)
    : [...(body.credentials ?? []), ...(body.token === undefined ? [] : [body.token])]

const endLeaked = async (services: Services, context: RequestContext, value: string): Promise<void> => {
  const credential = parseCredential(value)
  if (credential) return leaks[credential.kind].end(services, context, credential)
  if (detectCredentialKind(value) !== 'api_token') return
  const { findChosenOwner, end } = leaks.api_token
  const hash = hashCredential(value)
  const subject = await findChosenOwner?.(services.table, hash)
  if (subject !== undefined) await end(services, context, { subject, hash })
}
