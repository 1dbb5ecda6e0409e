import { BusyError } from '../../lib/errors/errors.ts'
import { buildMetricFields } from '../../lib/log/metrics.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { getCurrentCost, measureCost } from '../../lib/store/engine/consumed-capacity.ts'
import { type AuthorizerAnswer, buildAnswer } from './build-answer.ts'
import { type Decision, decide } from './decide.ts'
import { type AuthorizerEvent, type AuthorizerRequest, readEvent } from './read-event.ts'
import { type AuthorizerSettings, readAuthorizerSettings } from './settings.ts'

/**
 * Creates the handler that lets callers of this service into the APIs of products: a Lambda authorizer of API Gateway and
 * AppSync. The handler throws the error `Unauthorized` if a REST API should answer with 401, and another error if the caller
 * could not be identified. The API then refuses the request with 500.
 */
export const createAuthorizer = (
  environment: Readonly<Record<string, string | undefined>>,
): ((event: AuthorizerEvent) => Promise<AuthorizerAnswer>) => {
  const services = createServices(environment)
  const settings = readAuthorizerSettings(environment)
  return (event) =>
    measureCost(async () => {
      const startedAt = performance.now()
      const { request, decision } = await decideOnEvent(services, settings, event)
      const cost = getCurrentCost()
      services.log.info('authorization', {
        request_id: request.requestId,
        platform: request.platform,
        outcome: decision.outcome,
        user: decision.caller?.principal.user.id,
        kind: decision.caller?.principal.kind,
        duration_ms: Math.round(performance.now() - startedAt),
        table_calls: cost?.calls,
        table_round_trips: cost?.roundTrips,
        table_units: cost?.units,
      })
      return buildAnswer(settings, request, decision, services.now())
    })
}

const decideOnEvent = async (
  services: Services,
  settings: AuthorizerSettings,
  event: AuthorizerEvent,
): Promise<{ readonly request: AuthorizerRequest; readonly decision: Decision }> => {
  try {
    const request = readEvent(event)
    return { request, decision: await decide(services, settings, request) }
  } catch (error) {
    if (error instanceof BusyError) services.log.warn('table.busy', { error })
    else
      services.log.error('authorizer.failed', { error, ...buildMetricFields('AuthorizerFailed', services) })
    // The message must never be the one that API Gateway takes for a refusal.
    throw new Error('The caller could not be identified.', { cause: error })
  }
}
