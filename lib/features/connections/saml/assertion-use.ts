import { providerClockSkewMs } from '../../../kernel/limits/connection-limits.ts'
import type { AnswerUse } from '../connection-context.ts'
import { createConnectionError } from '../errors.ts'
import type { ProvenIdentity } from '../proven-identity.records.ts'
import { buildAssertionStep, reserveAssertion } from './assertion-uses.records.ts'
import type { SamlContext } from './saml-context.ts'

/** Creates the only use of an assertion. It uses the table only when its functions are called. */
export const createAssertionUse = (
  { services: { table, now }, provider }: SamlContext,
  { id, usableUntil }: ProvenIdentity,
): AnswerUse => {
  const untilMs = usableUntil + providerClockSkewMs
  const createReplayError = () =>
    createConnectionError('login_failed', provider, 'replay', 'The response was already used. Sign in again.')
  let isReserved = false
  return {
    reserve: async () => {
      if (isReserved) return
      if (!(await reserveAssertion(table, provider.id, id, untilMs))) throw createReplayError()
      isReserved = true
    },
    buildSteps: () =>
      isReserved ? [] : [buildAssertionStep(provider.id, id, { untilMs, nowMs: now() }, createReplayError)],
  }
}
