import { type AuthorizerContext, buildContext } from './build-context.ts'
import type { Decision } from './decide.ts'
import type { Caller } from './identify-caller.ts'
import type { AuthorizerRequest } from './read-event.ts'
import type { AuthorizerSettings } from './settings.ts'

interface SimpleAnswer {
  readonly isAuthorized: boolean
  readonly context?: AuthorizerContext
}

interface GraphqlAnswer {
  readonly isAuthorized: boolean
  readonly resolverContext?: AuthorizerContext
  /** Seconds. Without it, AppSync would keep the answer for its own default of five minutes. */
  readonly ttlOverride: number
}

interface PolicyAnswer {
  readonly principalId: string
  readonly policyDocument: {
    readonly Version: '2012-10-17'
    readonly Statement: readonly [
      {
        readonly Action: 'execute-api:Invoke'
        readonly Effect: 'Allow' | 'Deny'
        readonly Resource: string
      },
    ]
  }
  readonly context?: AuthorizerContext
}

export type AuthorizerAnswer = SimpleAnswer | GraphqlAnswer | PolicyAnswer

/** REST APIs answer with 401 to an error with exactly this message. */
const unauthorized = 'Unauthorized'

/**
 * Builds the answer in the form that the platform documents. REST APIs distinguish 401 and 403. HTTP APIs answer with 403 to
 * every refusal, AppSync with 401.
 *
 * @throws Error `Unauthorized` if a REST API should answer with 401
 */
export const buildAnswer = (
  settings: AuthorizerSettings,
  { platform, stageArn }: AuthorizerRequest,
  decision: Decision,
  nowMs: number,
): AuthorizerAnswer => {
  const isAuthorized = decision.outcome === 'authorized'
  if (platform === 'graphql')
    return isAuthorized
      ? {
          isAuthorized,
          resolverContext: buildContext(decision.caller),
          ttlOverride: getCacheSeconds(settings, decision.caller, nowMs),
        }
      : { isAuthorized, ttlOverride: 0 }
  if (platform === 'http-2' && !settings.answersWithPolicy)
    return isAuthorized ? { isAuthorized, context: buildContext(decision.caller) } : { isAuthorized }
  if (platform === 'rest' && decision.outcome === 'unauthenticated') throw new Error(unauthorized)
  return buildPolicy(stageArn, decision)
}

const buildPolicy = (stageArn: string, decision: Decision): PolicyAnswer => {
  const { outcome, caller } = decision
  return {
    principalId: caller?.claims.sub ?? 'unknown',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: outcome === 'authorized' ? 'Allow' : 'Deny',
          Resource: stageArn,
        },
      ],
    },
    ...(outcome === 'authorized' ? { context: buildContext(decision.caller) } : {}),
  }
}

/** An answer must not be used for longer than its credential works. */
const getCacheSeconds = ({ cacheSeconds }: AuthorizerSettings, { endsAt }: Caller, nowMs: number): number =>
  Math.max(0, Math.min(cacheSeconds, Math.floor((endsAt - nowMs) / 1000)))
