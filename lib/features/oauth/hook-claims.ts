import * as z from 'zod/mini'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { type AttributeValue, isAttributeValue } from '../../kernel/contract/stored-attributes.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { addedClaimsBytes } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { callHook, HookFailed } from '../hooks/call-hook.ts'
import { describeOrganization, describePerson } from '../hooks/hook-input.ts'
import type { ActingSession } from '../organizations/acting-principal.ts'
import { getScope } from './added-claims.ts'
import { toClaimValue } from './claim-names.ts'
import type { ClientRecord } from './clients.records.ts'
import { findHookClaimsProblem } from './hook-claim-names.ts'

/* Load this file on demand, where `services.config.hooks` has `beforeToken`. */

interface TokenQuestion {
  readonly client: Pick<ClientRecord, 'clientId' | 'name'>
  readonly subject: ActingSession
  /** The scopes of the authorization. */
  readonly scopes: readonly string[]
  /** The API that the access token is for. Undefined for userinfo. */
  readonly audience: string | undefined
}

type HookClaims = ReadonlyMap<string, AttributeValue>

/**
 * Asks the hook `beforeToken` for claims. Not if the client has the scope of none of them. Without an answer there are none.
 *
 * @throws AppError `temporarily_unavailable` without an answer, if clients get no tokens then
 */
export const askForClaims = async (
  services: Services,
  context: RequestContext,
  { client, subject, scopes, audience }: TokenQuestion,
): Promise<HookClaims> => {
  const { claims: names = [], onFailure } = services.config.hooks?.beforeToken ?? {}
  const isStated = (name: string) => scopes.includes(getScope({ name, place: 'top' }))
  // The stack and local mode refuse such a list. Without a check here, a variable could give tokens any claim.
  if (!names.some(isStated) || findHookClaimsProblem(names) !== undefined) return new Map()
  const { user, actor, organization } = subject
  try {
    return await callHook(services, context, 'beforeToken', {
      about: { userId: user.id },
      input: {
        user: describePerson(user),
        client: { client_id: client.clientId, name: client.name },
        organization: organization ? describeOrganization(organization.organization) : null,
        scopes: scopes.filter((name) => name !== ''),
        audience: audience ?? null,
        is_impersonated: actor !== undefined,
      },
      read: (answer) => readClaims(answer, names),
    })
  } catch (error) {
    if (!(error instanceof HookFailed)) throw error
    if (onFailure === 'continue') return new Map()
    throw new AppError('temporarily_unavailable', {
      reason: 'hook_failed',
      detail:
        'The product did not say what the tokens contain. No code or refresh token was used up. Wait the number of seconds in the Retry-After header, then send the same request again.',
      headers: { 'retry-after': String(retrySeconds) },
    })
  }
}

const retrySeconds = 5

/** `hook-schemas.ts` publishes the whole schema. More kinds of Zod would be loaded at the start of the function, also without a hook. */
const Answer = z.strictObject({ claims: z.unknown() })

/** Undefined for an answer with a claim that is not in the list, one of the wrong type, or too many of them. */
const readClaims = (answer: unknown, names: readonly string[]): HookClaims | undefined => {
  const given = Answer.safeParse(answer).data?.claims
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  if (Buffer.byteLength(JSON.stringify(given)) > addedClaimsBytes) return undefined
  const claims = new Map<string, AttributeValue>()
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name) || !isAttributeValue(value)) return undefined
    if (toClaimValue({ name, place: 'top' }, value) === undefined) return undefined
    claims.set(name, value)
  }
  return claims
}
