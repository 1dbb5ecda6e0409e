import { createHash } from 'node:crypto'
import type { Principal, SessionPrincipal } from '../../accounts/callers/principal.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { clearFlowCookie } from '../../http/flow-cookie.ts'
import { type MarkedSession, readSessionMark } from '../../http/session-mark.ts'
import { buildSignInCookies } from '../../http/sign-in-reply.ts'
import { signInQuestionPath } from '../../kernel/contract/page-data.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import { signInQuestionMs } from '../../kernel/limits/connection-limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { acceptByConnection, findInvitationOfAddress } from '../invitations/accept-by-connection.ts'
import { findSignUpTerms } from '../invitations/sign-up-rules.ts'
import { isSignedIn } from '../oauth/grants.ts'
import { toAccountPage } from '../pages/addresses.models.ts'
import { authenticateStored } from '../sign-in/authentication.ts'
import { retrySignIn } from '../sign-in/complete-sign-in.ts'
import { requireNoCompany } from '../sign-in/required-sign-in.ts'
import { findNameOwner } from './accounts.records.ts'
import type { AnswerContext, ConnectionContext } from './connection-context.ts'
import type { SignInFlow } from './flows.records.ts'
import { linkAccount } from './link-account.ts'
import { readProfile, toAccountName } from './profile.ts'
import { getProtocol } from './protocols.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { getFirstSignIn } from './public-connections.ts'
import { buildQuestionStep, type QuestionKind, type SignInQuestion } from './questions.records.ts'
import { buildConnectionStep, type Connection } from './records.ts'
import { foreseeUser, resolveUser } from './resolve-user.ts'
import { mintReturnToken, signInByConnection } from './sign-in.ts'

/*
 * What follows from a checked answer of an identity provider, for both kinds of connections: an account is linked, or a session is
 * opened. An answer that would replace the session of another person waits for the word of the person in front of the browser.
 */

/** An answer that passed all checks, and the sign-in that it belongs to. */
export interface CheckedAnswer {
  readonly identity: ProvenIdentity
  readonly flow: Pick<SignInFlow, 'forceAuthn' | 'startedAt' | 'returnTo' | 'browser'> &
    Partial<Pick<SignInFlow, 'link' | 'invitation' | 'keeps' | 'isPaid'>>
}

/** Where the browser goes next. */
export interface Completion {
  readonly location: string
  readonly cookies: readonly string[]
  /** Whether the answer waits for the person, so that the browser still has to prove that it started the sign-in. */
  readonly isAsked?: boolean
}

/** The browser that started a sign-in: the cookies of the request, and the value of the one by which it was recognized. */
interface StartedBrowser {
  readonly cookies: readonly string[]
  readonly browser: string
}

export const toRedirect = (config: Config, result: Completion, { cookies, browser }: StartedBrowser) =>
  ({
    status: 303,
    headers: { location: result.location },
    cookies: [...result.cookies, ...(result.isAsked ? [] : clearFlowCookie(config, cookies, browser))],
  }) as const

/** The address where the sign-in of a connection ends. */
export const buildReturnUrl = ({ services, provider }: ConnectionContext, returnToken: string): string => {
  const { end } = getProtocol(provider).getPaths(provider.id)
  return `${services.config.publicUrl}${end}?flow=${returnToken}`
}

export const buildQuestionPath = (connectionId: number, id: string): string =>
  `${signInQuestionPath}/${connectionId}/${id}`

/**
 * Links an account, opens a session, or has the person asked. `owner` is the read of who has the name of the identity, if it began
 * before.
 *
 * @throws AppError like `resolveUser`. The error for a user without an account names the page that asks whether to connect one
 */
export const completeAnswer = async (
  signIn: AnswerContext,
  { identity, flow }: CheckedAnswer,
  cookies: readonly string[],
  owner?: Promise<number | undefined>,
): Promise<Completion> => {
  const { link, invitation } = flow
  if (link)
    return {
      location: buildReturnUrl(signIn, await linkAccount(signIn, identity, { ...flow, link })),
      cookies: [],
    }
  const marked = readSessionMark(signIn.services.config, cookies)
  const firstRead = owner ?? (marked ? readOwner(signIn, identity) : undefined)
  try {
    const replaced = marked && (await findReplaced(signIn, { identity, flow }, marked, firstRead))
    if (replaced === 'other') return await askPerson(signIn, 'switch', { identity, flow })
    return await openOrAskForCode(signIn, { identity, flow }, { onlyUser: replaced, firstRead })
  } catch (error) {
    if (invitation) throw error
    const invited = isUnknown(error) && (await findInvitationOfAddress(signIn, identity))
    if (invited) return completeAnswer(signIn, { identity, flow: { ...flow, invitation: invited } }, cookies)
    if (isUnknown(error) && (await asksBeforeCreation(signIn))) {
      await requireNoCompany(signIn.services, undefined, readProfile(identity, signIn.provider))
      return askPerson(signIn, 'create', { identity, flow })
    }
    throw await offerToConnect(signIn, { identity, flow }, error)
  }
}

/** Whether the person decides about an account of their own: the connection says so, or they have to accept terms. */
const asksBeforeCreation = async ({ services, provider }: ConnectionContext): Promise<boolean> => {
  const firstSignIn = getFirstSignIn(provider)
  return (
    firstSignIn === 'ask' || (firstSignIn === 'create' && (await findSignUpTerms(services)) !== undefined)
  )
}

/** Has the person decide, on a page of the service. */
const askPerson = async (
  signIn: AnswerContext,
  kind: QuestionKind,
  answer: CheckedAnswer,
  agreed?: SignInQuestion['agreed'],
): Promise<Completion> => ({
  location: `${signIn.services.config.publicUrl}${await storeQuestion(signIn, kind, answer, agreed)}`,
  cookies: [],
  isAsked: true,
})

/** Opens the session, or asks for the code of the second factor, which a public provider does not replace. */
export const openOrAskForCode = async (
  signIn: AnswerContext,
  answer: CheckedAnswer,
  terms: SessionTerms & Pick<SignInQuestion, 'agreed'>,
): Promise<Completion> => {
  try {
    return await openSession(signIn, answer, terms)
  } catch (error) {
    const needsCode = error instanceof AppError && error.details.reason === 'otp_required'
    if (!needsCode) throw error
    return askPerson(signIn, 'code', answer, terms.agreed)
  }
}

/** Begins to read who has the name of an identity. */
export const readOwner = ({ services, provider }: ConnectionContext, identity: ProvenIdentity) => {
  const owner = findNameOwner(services.table, toAccountName(services, provider, identity))
  // If something else fails first, no one waits for it.
  owner.catch(() => {})
  return owner
}

interface SessionTerms {
  /** The only user whose session may be opened. The session in the browser is theirs, or they were shown to the person. */
  readonly onlyUser: number | undefined
  readonly firstRead?: Promise<number | undefined> | undefined
  /** The code of the second factor. */
  readonly otp?: string | undefined
}

/** Opens the session of the user of an answer, also for an invitation. */
export const openSession = async (
  signIn: AnswerContext,
  { identity, flow }: CheckedAnswer,
  { onlyUser, firstRead, otp }: SessionTerms,
): Promise<Completion> => {
  const { invitation } = flow
  if (invitation) await acceptByConnection(signIn, identity, invitation)
  const { sessionKey, returnToken, isSetup } = await retrySignIn(async (attempt) => {
    // An accepted account is known only now. Groups of the identity count as at any other sign-in.
    const owner = attempt === 1 && !invitation ? firstRead : undefined
    const resolved = await resolveUser(signIn, identity, owner)
    if (onlyUser !== undefined && resolved.user.id !== onlyUser) throw new EditConflict()
    return signInByConnection(signIn, { ...resolved, identity, flow, otp })
  })
  return {
    location: isSetup ? toAccountPage(signIn.services.config.publicUrl) : buildReturnUrl(signIn, returnToken),
    cookies: buildSignInCookies(signIn.services.config, signIn.context, sessionKey),
  }
}

/**
 * Finds whose session an answer would replace: that of another person, that of the same user, whose ID it returns, or none. Someone
 * who signs in again costs no call. What only an access link opened gives way.
 */
const findReplaced = async (
  signIn: ConnectionContext,
  answer: CheckedAnswer,
  marked: MarkedSession,
  firstRead: Promise<number | undefined> | undefined,
): Promise<'other' | number | undefined> => {
  const { userId } = marked
  const knownId = answer.flow.invitation ? answer.flow.invitation.userId : await firstRead
  if (knownId === userId) return userId
  const present = await authenticateStored(signIn.services, { kind: 'session', ...marked })
  if (!present || !isSession(present) || !isSignedIn(present)) return undefined
  return (await foreseeAnswer(signIn, answer, firstRead))?.id === userId ? userId : 'other'
}

const isSession = (principal: Principal): principal is SessionPrincipal => principal.session !== undefined

/** Finds the user whose session an answer opens, and changes nothing. Undefined for a user who would be created. */
export const foreseeAnswer = (
  signIn: ConnectionContext,
  { identity, flow: { invitation } }: CheckedAnswer,
  owner?: Promise<number | undefined>,
): Promise<UserRecord | undefined> =>
  invitation ? findUser(signIn.services.table, invitation.userId) : foreseeUser(signIn, identity, owner)

/**
 * Hashes what a connection trusts, which is whose answers it accepts and which name in them is that of a user, and what it lets an answer
 * do. An answer that waits for a person is worthless once any of it has changed: the sign-in begins again, under the rules of now.
 */
export const buildTrustHash = (connection: Connection): string => {
  const trusted = getProtocol(connection).listTrusted(connection)
  const rules = {
    required_authn_contexts: connection.required_authn_contexts,
    first_sign_in: getFirstSignIn(connection),
    auto_create_users: connection.auto_create_users,
    disabled_in_client: connection.disabled_in_client,
  }
  return createHash('sha256')
    .update(JSON.stringify([...trusted, rules]))
    .digest('base64url')
}

/** Keeps an answer until the person has decided about it, and uses it up for anything else. Returns the path of the page. */
const storeQuestion = async (
  { services, provider, use }: AnswerContext,
  kind: QuestionKind,
  { identity, flow }: CheckedAnswer,
  agreed?: SignInQuestion['agreed'],
): Promise<string> => {
  const { forceAuthn, startedAt, returnTo, browser, invitation, isPaid } = flow
  const id = mintReturnToken()
  await services.table.transact([
    ...use.buildSteps(),
    buildConnectionStep(provider.id, () => notFound('connection')),
    buildQuestionStep(provider.id, id, {
      kind,
      identity,
      forceAuthn,
      startedAt,
      returnTo,
      browser,
      ...omitUndefined({ invitation, agreed, isPaid }),
      trust: buildTrustHash(provider),
      expiresAt: services.now() + signInQuestionMs,
    }),
  ])
  return buildQuestionPath(provider.id, id)
}

/** Whether an answer led to no account here. */
const isUnknown = (error: unknown): error is AppError =>
  error instanceof AppError && error.details.page?.['accountThere'] !== undefined

/**
 * Keeps an answer that led to no account here. The page about the error then leads to the question whether to connect it to the
 * account that the person proves to have. Everyone gets it, so it does not show who has an account.
 */
const offerToConnect = async (
  signIn: AnswerContext,
  answer: CheckedAnswer,
  error: unknown,
): Promise<unknown> => {
  const { publicUrl, signInUrl } = signIn.services.config
  // A sign-in page of another origin opens no session here.
  if (!isUnknown(error) || new URL(signInUrl).origin !== publicUrl) return error
  return new AppError(error.code, {
    ...error.details,
    page: { ...error.details.page, connectPath: await storeQuestion(signIn, 'connect', answer) },
  })
}
