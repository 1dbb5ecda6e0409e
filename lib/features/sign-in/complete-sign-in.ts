import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import {
  buildSession,
  detectAdministrator,
  type SessionOrigin,
} from '../../accounts/sessions/session-rules.ts'
import type { AuthenticationMethod, SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { buildSessionStep } from '../../accounts/sessions/write-sessions.records.ts'
import { requireActiveAccount } from '../../accounts/users/account-state.ts'
import { findActiveMark } from '../../accounts/users/active-users.records.ts'
import { buildUserStep, type UserUpdate } from '../../accounts/users/build-user-step.records.ts'
import { buildLastSeenUpdates } from '../../accounts/users/last-seen.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserDetail } from '../../accounts/users/user-body.ts'
import type { ServiceUserDetail } from '../../accounts/users/users.models.ts'
import type { UserWriteOptions } from '../../accounts/users/write-users.records.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { resolveDestination } from './destinations.ts'
import type { DeviceChange, DeviceCookieValue } from './factor-memory.ts'
import { recognizeDevice } from './known-devices.ts'
import type { StoredSignInPolicy } from './policy.records.ts'
import { describeFactorRule } from './resting-rights.ts'

/*
 * Every way to sign in ends here: with a password, an emailed code, a passkey, an invitation or an identity provider. The
 * way brings the proof. What follows from it is the same for all of them.
 */

/** A user who proved who they are. Nothing is stored yet. */
export interface ProvenSignIn {
  /** The user as read for this sign-in. */
  readonly user: UserRecord
  /** How the user proved who they are. */
  readonly methods: readonly AuthenticationMethod[]
  /** Builds the steps that use up the proof, so that it opens one session. They must fail if it was used before. */
  readonly buildProofSteps: (session: SessionRecord) => readonly Step[]
  /** What the sign-in changes about the user, such as a new password. */
  readonly fields?: Partial<UserRecord> | undefined
  readonly updates?: readonly UserUpdate[]
  /** The remembered device that did instead of the second factor, or that the sign-in adds. */
  readonly device?: DeviceChange | undefined
  /** The sign-in policy, of which the session keeps a part. Undefined where a company decides about the sign-in, or none is stored. */
  readonly policy: StoredSignInPolicy | undefined
  /** What limits the session besides the settings. */
  readonly session?: Partial<Omit<SessionOrigin, 'methods'>>
  /** The way, for the audit event. A password has none. */
  readonly target?: string
  /** Commits the steps with a change of the user that takes more than `fields`. They contain the session. */
  readonly commit?: (options: Required<Pick<UserWriteOptions, 'updates' | 'extraSteps'>>) => Promise<unknown>
}

/**
 * Opens the session of a user who proved who they are, and returns its credential. One transaction uses up the proof,
 * changes the user, remembers the device, stores the session and writes the audit event.
 *
 * @throws AppError `login_incomplete` for a disabled or expired account, and what `askAfterSignIn` throws
 * @throws EditConflict if the account was changed since it was read. Nothing is stored then: see `retrySignIn`
 */
export const completeSignIn = async (
  services: Services,
  context: RequestContext,
  {
    user: known,
    methods,
    policy,
    buildProofSteps,
    fields,
    updates = [],
    target,
    commit,
    ...signIn
  }: ProvenSignIn,
): Promise<string> => {
  requireActiveAccount(known, services.now())
  const user = { ...known, ...fields }
  const { device: remembered } = signIn
  const hookMs = services.config.hooks?.afterSignIn
    ? await (await import('./sign-in-hook.ts')).askAfterSignIn(services, context, {
        ...{ user, methods, target, policy },
        isFactorRemembered: remembered?.isUse === true,
      })
    : undefined
  const { value, session } = buildSession(services, user, context, {
    methods,
    expiresAt: null,
    ...(await detectAdministrator(services, user)),
    ...describeFactorRule(policy),
    ...(remembered?.isUse && { isFactorRemembered: true }),
    ...signIn.session,
  })
  const device = recognizeDevice(services, context, known)
  const nowMs = services.now()
  const mark = findActiveMark(known, nowMs)
  const allUpdates = [...updates, ...device.updates, ...buildLastSeenUpdates(known, nowMs, mark)]
  const steps = [
    buildSessionStep(session),
    ...buildProofSteps(session),
    ...device.extraSteps,
    ...(remembered?.steps ?? []),
    auditStep(context, 'login.succeeded', {
      user: user.id,
      actor: user.id,
      target: describeWay(target, methods, remembered),
      ...mark,
      ...omitUndefined({ hookMs }),
    }),
  ]
  if (commit) await commit({ updates: allUpdates, extraSteps: steps })
  else
    await services.table.transact([
      ...steps,
      ...(fields || allUpdates.length > 0
        ? [buildUserStep(known, fields ?? {}, allUpdates, () => new EditConflict())]
        : []),
    ])
  return value
}

/** The way and what came after it: `passkey:6`, `otp`, `email_code otp`, or `remembered_device:7`. */
const describeWay = (
  way: string | undefined,
  methods: readonly AuthenticationMethod[],
  remembered: DeviceChange | undefined,
): string | null =>
  [
    way,
    methods.find((method) => method === 'otp' || method === 'recovery_code'),
    remembered?.isUse ? `remembered_device:${remembered.id}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ') || null

/** What a client learns about a complete sign-in. */
export interface SignInAnswer {
  readonly user: ServiceUserDetail
  readonly sessionKey: string
  /** Where the user wants to start, outside of this service. */
  readonly redirect?: string
  /** What the browser keeps of a remembered device. */
  readonly rememberedDevice?: DeviceCookieValue | undefined
}

/** Completes a sign-in whose answer contains the user. */
export const completeClientSignIn = async (
  services: Services,
  context: RequestContext,
  signIn: ProvenSignIn,
): Promise<SignInAnswer> => {
  const { user, fields } = signIn
  // Read before the write: an error after it would hide that the session was created.
  const detail = await toUserDetail(services.table, { ...user, ...fields, lastSeenAt: services.now() })
  const sessionKey = await completeSignIn(services, context, signIn)
  return {
    user: detail,
    sessionKey,
    ...buildRedirect(services, user),
    ...omitUndefined({ rememberedDevice: signIn.device?.cookie }),
  }
}

/**
 * Runs a sign-in again that conflicted with another change of the account. It must read the account again, and check all
 * that it checked before.
 */
export const retrySignIn = <Result>(signIn: (attempt: number) => Promise<Result>): Promise<Result> =>
  retryConflicts(signIn, 'The account kept changing while you signed in. Try again.')

/** Returns the user's start page, unless it is a path or not of an allowed origin. */
export const findStartPage = (config: Config, { default_page: defaultPage }: UserRecord): URL | undefined =>
  defaultPage.startsWith('/') ? undefined : resolveDestination(config, defaultPage)

/** The user's start page, unless it belongs to the service or not to an allowed origin. */
export const buildRedirect = ({ config }: Services, user: UserRecord): { redirect?: string } => {
  const page = findStartPage(config, user)
  return page && page.origin !== config.publicUrl ? { redirect: page.href } : {}
}
