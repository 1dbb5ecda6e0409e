import { randomBytes } from 'node:crypto'
import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import { buildConnectionSessionSteps } from '../../accounts/sessions/session-index.records.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { type AppError, notFound } from '../../kernel/errors/errors.ts'
import { signInReturnMs } from '../../kernel/limits/connection-limits.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { buildUnchangedScimUserStep, type ScimUserRecord } from '../provisioning/users.records.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { buildAccountUseStep, type CompanyAccountRecord } from './accounts.records.ts'
import {
  buildFormerSessionSteps,
  CarriedProofEnded,
  describeSessionOrigin,
  findFormerSession,
} from './carry-proofs.ts'
import type { AnswerContext } from './connection-context.ts'
import { getConnectionTarget } from './connection-context.ts'
import { isMultiFactor } from './connection-rules.ts'
import { syncDirectoryAttributes } from './directory-attributes.ts'
import { syncDirectoryGroups } from './directory-groups.ts'
import { createConnectionError, createNoAccountError } from './errors.ts'
import { buildReturnStep, type SignInFlow } from './flows.records.ts'
import { joinOrganization } from './join-organization.ts'
import { readProfile, toShownName } from './profile.ts'
import { getProtocol } from './protocols.ts'
import { proveCompanySignIn, provePublicSignIn } from './prove-sign-in.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { isPublic } from './public-connections.ts'
import type { Connection } from './records.ts'

/** The result of a sign-in for the browser. */
export interface ConnectionSignIn {
  /** The credential of the session. */
  readonly sessionKey: string
  /** Valid once, to return to the page where the sign-in started. */
  readonly returnToken: string
  /** Whether the session can do nothing but set up a second factor. */
  readonly isSetup: boolean
}

interface SignInRequest {
  readonly identity: ProvenIdentity
  readonly user: UserRecord
  readonly account: CompanyAccountRecord | undefined
  /** Whom the directory of the connection sent. They must still be as they were read. */
  readonly person: ScimUserRecord | undefined
  readonly flow: Pick<SignInFlow, 'forceAuthn' | 'startedAt' | 'returnTo' | 'keeps'>
  /** The code of the second factor, which a public provider never replaces. */
  readonly otp?: string | undefined
}

/**
 * Signs the user of a proven identity in. The session ends no later than the provider's session, and keeps the proofs of the browser's
 * former one if it is for an organization: see `carry-proofs.ts`. The transaction also uses the assertion, and stores the marker by which single logout finds the session, and the return token.
 *
 * @throws AppError `login_failed` when the identity was used before
 * @throws AppError `login_failed` when the provider signed the user out in the meantime
 * @throws AppError `not_found` when the provider was deleted
 * @throws AppError `permission_denied` when the account was removed from its user in the meantime, or the company of the
 *   user requires another provider
 * @throws EditConflict like `completeSignIn`
 */
export const signInByConnection = async (
  { services, provider, context, use }: AnswerContext,
  { identity, user: resolved, account, person, flow, otp }: SignInRequest,
): Promise<ConnectionSignIn> => {
  const signIn = { services, provider, context, use }
  // Those of an organization are given to its member, below.
  const user = provider.organization_id === null ? await syncDirectory(signIn, person, resolved) : resolved
  const proof = isPublic(provider)
    ? await provePublicSignIn(services, context, {
        provider,
        user,
        profile: readProfile(identity, provider),
        otp,
      })
    : await proveCompanySignIn(services, provider, user)
  await requireUnprivileged(services, provider, user)
  const former = await findFormerSession(services, flow, user.id)
  // The session of the browser is of the same user, and counts for the whole service.
  const showsOtherWay = former !== undefined && !isLimitedToOrganizations({ session: former })
  const isProven = account?.isLinkedByAddress !== true || showsOtherWay
  const joining = await joinOrganization(signIn, user, { isProven, isFromDirectory: person !== undefined })
  if (provider.organization_id !== null) await syncDirectory(signIn, person, user)
  const returnToken = mintReturnToken()
  const { refreshToken } = identity
  const lastUse = {
    shownName: toShownName(provider, identity),
    usedAt: services.now(),
    refreshToken,
    showsOtherWay,
  }
  const methods = [
    getProtocol(provider).stored.kind,
    ...(isMultiFactor(provider, identity.authnContexts) ? ['mfa' as const] : []),
    ...(proof?.methods ?? []),
  ]
  // A code of this service is a proof of now.
  const isTimeUnknown = proof?.methods.length === 0 ? identity.isTimeUnknown : undefined
  const at = Math.min(getAuthenticationTime(identity, flow), services.now())
  const complete = (kept: SessionRecord | undefined): Promise<string> =>
    completeSignIn(services, context, {
      user,
      target: getConnectionTarget(provider),
      methods,
      policy: proof?.policy,
      updates: proof?.use ? [proof.use.change] : [],
      session: {
        ...describeSessionOrigin(
          { ...provider, joining },
          { at, methods, ...omitUndefined({ isTimeUnknown }) },
          identity.sessionEndsAt,
          kept,
        ),
        ...proof?.limits,
        providerSubject: { providerId: provider.id, kind: provider.kind, ...identity.subject },
      },
      buildProofSteps: (session) => [
        ...use.buildSteps(),
        ...(proof?.extraSteps ?? []),
        ...buildConnectionSessionSteps(session, identity.issuedAt, {
          providerDeleted: () => notFound('connection'),
          signedOut: () => createSignedOutError(provider),
          carriedEnded: () => new CarriedProofEnded(),
        }),
        ...buildFormerSessionSteps(kept),
        ...(person ? [buildUnchangedScimUserStep(person)] : []),
        ...(account ? buildAccountUseStep(account, lastUse, () => createNoAccountError(provider)) : []),
        buildReturnStep(
          provider.id,
          returnToken,
          { returnTo: flow.returnTo, session: session.hash },
          services.now() + signInReturnMs,
        ),
      ],
    })
  const sessionKey = await complete(former).catch((error: unknown) => {
    if (error instanceof CarriedProofEnded) return complete(undefined)
    throw error
  })
  return { sessionKey, returnToken, isSetup: proof?.limits.limitedTo !== undefined }
}

/** Gives what the groups and the attributes of the person in the directory give. */
const syncDirectory = async (
  signIn: AnswerContext,
  person: ScimUserRecord | undefined,
  user: UserRecord,
): Promise<UserRecord> => {
  if (!person) return user
  const options = { beforeWrite: signIn.use.reserve }
  const synced = await syncDirectoryGroups(signIn, person, user, options)
  return syncDirectoryAttributes(signIn, person, synced, options)
}

/**
 * The holder of a set-up link chose the identity provider. It signs in no one who decides about the accounts of others.
 *
 * @throws AppError `permission_denied` like for a user without an account
 */
const requireUnprivileged = async (
  { table }: Services,
  provider: Connection,
  user: UserRecord,
): Promise<void> => {
  if (provider.setup === undefined) return
  if ((await getEffectivePermissions(table, user)).some(isPrivileged)) throw createNoAccountError(provider)
}

/**
 * The user proved who they are when they signed in at the provider. That can be days ago, because the provider answers for
 * the session that the user has there. If this service asked for a new proof, the response was accepted because it has
 * one. The proof is then later than the request, although the clock of the provider may be a little slow.
 */
const getAuthenticationTime = (
  { authenticatedAt }: ProvenIdentity,
  { forceAuthn, startedAt }: SignInRequest['flow'],
): number => (forceAuthn ? Math.max(authenticatedAt, startedAt) : authenticatedAt)

const createSignedOutError = (provider: Connection): AppError =>
  createConnectionError(
    'login_failed',
    provider,
    'signed_out',
    'The identity provider has signed you out in the meantime. Sign in again.',
  )

export const mintReturnToken = (): string => randomBytes(24).toString('base64url')
