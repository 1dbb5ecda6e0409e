import { createHash } from 'node:crypto'
import type { AcceptedTerms } from '../../accounts/users/stored-user.records.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import {
  signInPolicyKey,
  signUpLinkKey,
  signUpPolicyKey,
  signUpRequestKey,
  signUpRequestPrefix,
} from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { createCodec, decodeListed, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { type SignInPolicy, signInPolicyCodec } from '../sign-in/policy.records.ts'
import type { SignUpPolicy as PolicyBody } from './sign-up.models.ts'

/** Who may create their own account, and what new users get, as administrators set it. */
export type SignUpPolicy = Stored<Required<PolicyBody>>

interface StoredSignUpPolicy {
  readonly policy: SignUpPolicy
  readonly version: number
}

const policyCodec = createCodec<StoredSignUpPolicy>('sign-up policy', { policy: 'map', version: 'number' })

/** The stored policy. Undefined if none was ever set, so that no one can sign up. */
export const findSignUpPolicy = (table: Table): Promise<StoredSignUpPolicy | undefined> =>
  findRecord(table, policyCodec, signUpPolicyKey)

/** Reads what the sign-in policy and the sign-up policy offer in one call. */
export const findSignInOffers = async (
  table: Table,
): Promise<{ readonly signIn: SignInPolicy | undefined; readonly signUp: SignUpPolicy | undefined }> => {
  const [signIn, signUp] = await table.getMany([signInPolicyKey, signUpPolicyKey])
  return {
    signIn: signInPolicyCodec.decodeOptional(signIn)?.policy,
    signUp: policyCodec.decodeOptional(signUp)?.policy,
  }
}

/** Replaces the policy that was read before. @throws EditConflict if it was changed since */
export const replaceSignUpPolicy = (
  table: Table,
  before: StoredSignUpPolicy | undefined,
  policy: SignUpPolicy,
  extraSteps: readonly Step[],
): Promise<void> => replaceSettings(table, { key: signUpPolicyKey, before, fields: { policy } }, extraSteps)

/** The link in an email, by the hash of its credential. It proves the address. */
export interface SignUpLink {
  readonly hash: string
  readonly email: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** The ID of the user whom the link made, or 0 if the person waits for approval. Missing until it is used. */
  readonly usedBy?: number
}

const linkCodec = createCodec<SignUpLink>('sign-up link', {
  hash: 'string',
  email: 'string',
  expiresAt: 'number',
})

export const buildSignUpLinkStep = (link: SignUpLink): Step => ({
  put: { ...signUpLinkKey(link.hash), ...linkCodec.encode(link), expires_at: toSeconds(link.expiresAt) },
})

/** The link with this hash, also a used one. Undefined if it is unknown or expired. */
export const findSignUpLink = async (
  table: Table,
  hash: string,
  nowMs: number,
): Promise<SignUpLink | undefined> => {
  const link = await findRecord(table, linkCodec, signUpLinkKey(hash))
  return link && link.expiresAt > nowMs ? link : undefined
}

/** Builds the step that uses a link. Of several concurrent requests with it, one succeeds. */
export const buildUseSignUpLinkStep = (
  hash: string,
  { usedBy, nowMs }: { readonly usedBy: number; readonly nowMs: number },
  orElse: OrElse,
): Step => ({
  update: signUpLinkKey(hash),
  changes: (x) => ({
    set: [`${x.path('usedBy')} = ${x.value(usedBy)}`],
    condition: `${x.path('expiresAt')} > ${x.value(nowMs)} AND attribute_not_exists(${x.path('usedBy')})`,
  }),
  orElse,
})

/** Builds the step that ends a link, also for those who repeat a request with it. */
export const buildEndSignUpLinkStep = (hash: string, nowMs: number): Step => ({
  delete: signUpLinkKey(hash),
  condition: (x) => `${x.path('expiresAt')} > ${x.value(nowMs)}`,
})

/** Someone with a verified address who waits for the approval of an administrator. */
export interface SignUpRequest {
  /** Follows from the address, so an address waits once. */
  readonly id: string
  readonly email: string
  readonly full_name: string
  readonly language?: Language
  readonly acceptedTerms?: AcceptedTerms
  /** What the hook of a product gives the account. Its groups are checked again when the account is created. */
  readonly gifts?: { readonly groups: readonly number[]; readonly attributes: string }
  /** Epoch milliseconds. */
  readonly requestedAt: number
  readonly expiresAt: number
}

const requestCodec = createCodec<SignUpRequest>('sign-up request', {
  id: 'string',
  email: 'string',
  full_name: 'string',
  requestedAt: 'number',
  expiresAt: 'number',
})

export const getSignUpRequestId = (normalizedEmail: string): string =>
  createHash('sha256').update(`sign-up#${normalizedEmail}`).digest('base64url').slice(0, 22)

/** Builds the step that stores a request. One of the same address takes its place. */
export const buildSignUpRequestStep = (request: SignUpRequest): Step => ({
  put: {
    ...signUpRequestKey(request.id),
    ...requestCodec.encode(request),
    expires_at: toSeconds(request.expiresAt),
  },
})

/** All requests that wait, oldest first. There are `signUpRequestsMax` or a few more. */
export const listSignUpRequests = async (table: Table, nowMs: number): Promise<readonly SignUpRequest[]> =>
  decodeListed(table, requestCodec, await table.list(partitions.signUpRequests, signUpRequestPrefix))
    .filter(({ expiresAt }) => expiresAt > nowMs)
    .sort((a, b) => a.requestedAt - b.requestedAt)

export const findSignUpRequest = async (
  table: Table,
  id: string,
  nowMs: number,
): Promise<SignUpRequest | undefined> => {
  const request = await findRecord(table, requestCodec, signUpRequestKey(id))
  return request && request.expiresAt > nowMs ? request : undefined
}

/** Builds the step that ends a request as it was read. Of several concurrent decisions, one succeeds. */
export const buildEndSignUpRequestStep = ({ id, requestedAt }: SignUpRequest, orElse: OrElse): Step => ({
  delete: signUpRequestKey(id),
  condition: (x) => `${x.path('requestedAt')} = ${x.value(requestedAt)}`,
  orElse,
})
