import { createHash } from 'node:crypto'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countUse, rateLimited } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { findGroupIds, findGroups, type GroupRecord } from '../../accounts/groups/groups.records.ts'
import { normalizeUsername } from '../../accounts/names/names.ts'
import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { getLongestWaitMs } from '../../kernel/rates/rates.ts'
import type { Hook } from '../../kernel/settings/hooks.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { applyChanges } from '../directory/attributes/attributes.ts'
import { callHook, HookFailed } from '../hooks/call-hook.ts'
import { describeRequest } from '../hooks/hook-input.ts'
import { readBeforeSignUpAnswer, type SignUpAcceptance } from './before-sign-up-answer.ts'
import { type SignUpGifts, selectProductGroups } from './product-groups.ts'

/* Load this file on demand, where `services.config.hooks` has `beforeSignUp`. */

/** An account that a person, or a provider for them, begins. The mailbox or the identity is proved. */
export interface BegunAccount {
  readonly way: 'email' | 'provider' | 'company' | 'invitation'
  /** What was proved, such as an address. The same for each attempt. */
  readonly proof: string
  readonly account: {
    readonly username: string | null
    readonly name: string | null
    readonly email: string | null
    readonly email_verified: boolean
    readonly language: string | null
  }
  readonly connection?: { readonly id: string; readonly name: string }
  /** As hooks learn about it. */
  readonly organization?: object | undefined
}

/**
 * Asks the hook `beforeSignUp` whether an account may begin, and what it gets. Nothing was written for it yet, and no link or answer of a
 * provider was used up.
 *
 * @throws AppError `permission_denied` if it refuses
 * @throws AppError `temporarily_unavailable` without an answer
 * @throws AppError `too_many_requests` after too many of both for the same proof
 */
export const askBeforeSignUp = async (
  services: Services,
  context: RequestContext,
  { way, proof, account, connection, organization }: BegunAccount,
): Promise<SignUpGifts> => {
  const subject = createHash('sha256').update(`${way} ${proof}`).digest('base64url')
  requireFewRefusals(services, subject)
  try {
    const answer = await callHook(services, context, 'beforeSignUp', {
      about: { proof: subject },
      input: {
        way,
        account: { ...account, attributes: {} },
        connection: connection ?? null,
        organization: organization ?? null,
        request: describeRequest(context),
      },
      read: async (given) => {
        const read = readBeforeSignUpAnswer(given)
        return read?.decision === 'accept' ? findGifts(services, read) : read
      },
    })
    if (!('decision' in answer)) return answer
    await auditRefusal(services, context, 'hook.refused', { target: 'beforeSignUp' }, subject)
    await countRefusal(services, subject)
    throw createRefusal(answer.message)
  } catch (error) {
    if (!(error instanceof HookFailed)) throw error
    await countRefusal(services, subject)
    throw new AppError('temporarily_unavailable', {
      reason: 'hook_failed',
      detail:
        'The product did not say whether you may have an account. Nothing was changed, and the link was not used up. Wait the number of seconds in the Retry-After header, then try again.',
      headers: { 'retry-after': String(retrySeconds) },
    })
  }
}

const retrySeconds = 5

const createRefusal = (message: string | undefined): AppError =>
  new AppError('permission_denied', {
    reason: 'sign_up_refused',
    detail: 'The product does not let this person have an account. Show `refusal` to them, if it is there.',
    ...(message === undefined ? {} : { members: { refusal: message }, page: { refusal: message } }),
  })

/** Undefined if it gives what it may not give. */
const findGifts = async (
  services: Services,
  { groups: names = [], attributes = {} }: SignUpAcceptance,
): Promise<SignUpGifts | undefined> => {
  const hook = services.config.hooks?.beforeSignUp
  if (
    !hook ||
    !isListed(hook.groups, names, normalizeUsername) ||
    !isListed(hook.attributes, Object.keys(attributes))
  )
    return undefined
  const groups = await findProductGroups(services, names)
  const stored = await findStoredText(services, attributes)
  return groups && stored !== undefined ? { groups, attributes: stored } : undefined
}

const isListed = (
  list: Hook['groups'],
  names: readonly string[],
  normalize: (name: string) => string = (name) => name,
): boolean => {
  const listed = new Set(list.map(normalize))
  return (
    names.every((name) => listed.has(normalize(name))) && new Set(names.map(normalize)).size === names.length
  )
}

/** Undefined if one of the groups does not exist, or gives a permission of the service. */
const findProductGroups = async (
  { table }: Services,
  names: readonly string[],
): Promise<readonly GroupRecord[] | undefined> => {
  if (names.length === 0) return []
  const ids = (await findGroupIds(table, names.map(normalizeUsername))).filter((id) => id !== undefined)
  const groups = selectProductGroups(await findGroups(table, ids))
  return groups.length === names.length ? groups : undefined
}

/** Undefined if the service has no such attribute, or a value breaks its rules. Users may lack the right to write one. */
const findStoredText = async (
  { table }: Services,
  attributes: NonNullable<SignUpAcceptance['attributes']>,
): Promise<string | undefined> => {
  const changes = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  if (changes.length === 0) return noAttributes
  const { stored, errors } = applyChanges(await findUserAttributes(table), noAttributes, changes, 'manager')
  return errors.length > 0 ? undefined : stored
}

/*
 * Each call costs the product time and money. So those who got no account several times with the same proof have to wait. What is counted
 * are refusals and failures, so that an account that begins takes no table call for it. This process remembers who has to wait.
 */
const waitingUntil = new Map<string, number>()
const maxRemembered = 10_000

const requireFewRefusals = ({ config, now }: Services, subject: string): void => {
  const longestMs = getLongestWaitMs(config.rateLimits.refusedSignUps)
  const remainingMs = getRemainingMs(waitingUntil.get(subject) ?? 0, now(), longestMs)
  if (remainingMs > 0) throw rateLimited(Math.ceil(remainingMs / 1000))
}

const countRefusal = async (services: Services, subject: string): Promise<void> => {
  const { count, limit, retryAfterSeconds, refuse } = await countUse(services, 'refusedSignUps', subject)
  if (count < limit.max) return
  if (waitingUntil.size >= maxRemembered) waitingUntil.clear()
  waitingUntil.set(subject, services.now() + retryAfterSeconds * 1000)
  if (count === limit.max) return
  await refuse()
  throw rateLimited(retryAfterSeconds)
}
