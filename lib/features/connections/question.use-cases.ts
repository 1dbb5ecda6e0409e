import { type Decision, isDecisionNamed, nameDecision } from '../../accounts/callers/decisions.ts'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import { auditRefusedSignIn } from '../../accounts/events/refusals.ts'
import { readSessionCookie } from '../../http/authenticate.ts'
import { clearFlowCookie } from '../../http/flow-cookie.ts'
import { choosePageLanguage } from '../../http/page.ts'
import { buildSessionMark } from '../../http/session-mark.ts'
import type { Reply, UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { findBranding } from '../branding/find-branding.ts'
import { findSignUpTerms, type SignUpTerms } from '../invitations/sign-up-rules.ts'
import { isSignedIn } from '../oauth/grants.ts'
import { toAccountPage } from '../pages/addresses.models.ts'
import { askFirst } from '../pages/plain/ask-first.page.ts'
import { renderPlainPage, type Texts, type TranslatePlain } from '../pages/plain/plain.page.ts'
import { isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { hasRecentProof } from '../sign-in/recent-authentication.ts'
import { hashAccountName } from './accounts.records.ts'
import {
  buildQuestionPath,
  buildReturnUrl,
  buildTrustHash,
  foreseeAnswer,
  openOrAskForCode,
  openSession,
  readOwner,
} from './complete-answer.part.ts'
import type { AnswerContext, AnswerUse } from './connection-context.ts'
import { getConnectionTarget, requireConnection } from './connection-context.ts'
import { createConnectionError } from './errors.ts'
import type { connectionFlow } from './flow.operations.ts'
import { requireSameBrowser } from './flow-browser.part.ts'
import { linkAccount } from './link-account.ts'
import { toAccountName } from './profile.ts'
import { builtPages } from './question.prebuilt.ts'
import type { SignInAnswer } from './questions.models.ts'
import {
  buildQuestionUseStep,
  findQuestion,
  type QuestionKind,
  type SignInQuestion,
} from './questions.records.ts'
import type { Connection } from './records.ts'
import { describeAccountThere } from './resolve-user.ts'
import { addRetryPath, buildStartPath, leadToProof } from './retry-path.ts'
import { requireRightToLink } from './start-sign-in.ts'

type Request = Pick<
  UseCaseRequest<typeof connectionFlow.showSignInQuestion>,
  'params' | 'principal' | 'cookies' | 'context' | 'isFromOwnPage'
>
type QuestionReply = Reply<typeof connectionFlow.answerSignInQuestion>

/** Asks the person in front of the browser about an answer of an identity provider. */
export const showSignInQuestion: UseCase<typeof connectionFlow.showSignInQuestion> = (request, services) =>
  decide(request, services, undefined)

/** Carries out what the person decided. */
export const answerSignInQuestion: UseCase<typeof connectionFlow.answerSignInQuestion> = (
  request,
  services,
) => {
  // A page of another site must not decide.
  if (!request.isFromOwnOrigin) throw new AppError('permission_denied', { tryAgain: null })
  return decide(request, services, request.body)
}

/** A question that waits in this browser. */
interface Waiting {
  readonly connection: Connection
  readonly question: SignInQuestion
  readonly use: AnswerUse
  /** The `Set-Cookie` values for the end of the sign-in. */
  readonly clearedCookies: readonly string[]
  /** Notes whose sign-in it is, for the event about a refusal. */
  readonly noteUser: (id: number | undefined) => void
  /** Whether a code was wrong, and is asked for again. */
  readonly isCodeWrong?: boolean
}

const decide = async (
  request: Request,
  services: Services,
  answer: SignInAnswer | undefined,
): Promise<QuestionReply> => {
  const { params } = request
  const connection = await requireConnection(services.table, params.id)
  // The holder of a set-up link alone decides about the identity provider again.
  if (connection.setup) throw notFound('connection')
  const question = await findQuestion(services.table, connection.id, params.question, services.now())
  const retryPath = buildStartPath(connection, { ...(question ?? noOptions), link: null })
  try {
    if (!question || !isUsable(services, connection, question)) throw createEndedError(connection)
    const browser = requireSameBrowser(services, connection, request.cookies, question)
    const refused: { target: string; user: number | null } = {
      target: getConnectionTarget(connection),
      user: null,
    }
    const waiting: Waiting = {
      connection,
      question,
      use: createQuestionUse(services, connection, params.question),
      clearedCookies: clearFlowCookie(services.config, request.cookies, browser),
      noteUser: (id) => {
        refused.user = id ?? null
      },
    }
    const ask = pages[question.kind]
    if (!answer) return await ask(request, services, waiting, answer)
    try {
      return await auditRefusedSignIn(services, forgetCaller(request), refused, () =>
        ask(request, services, waiting, answer),
      )
    } catch (error) {
      const isCodeWrong = error instanceof AppError && error.details.reason === 'otp_invalid'
      if (!isCodeWrong) throw error
      return await ask(request, services, { ...waiting, isCodeWrong }, undefined)
    }
  } catch (error) {
    const redirect = leadToProof(services.config, error, retryPath)
    if (redirect) return redirect
    throw error instanceof AppError && error.details.tryAgain === null
      ? error
      : addRetryPath(error, retryPath)
  }
}

type Ask = (
  request: Request,
  services: Services,
  waiting: Waiting,
  answer: SignInAnswer | undefined,
) => Promise<QuestionReply>

const noOptions = { returnTo: null, forceAuthn: false } as const

const isUsable = (
  { now }: Services,
  connection: Connection,
  { trust, identity: { sessionEndsAt } }: SignInQuestion,
): boolean => trust === buildTrustHash(connection) && (sessionEndsAt === null || now() < sessionEndsAt)

const createEndedError = (connection: Connection): AppError =>
  createConnectionError(
    'login_failed',
    connection,
    'used_or_late',
    'The sign-in has already ended or took too long. Sign in again.',
  )

/** The answer of the identity provider was used up when it was stored. From then on, the stored question is what counts once. */
const createQuestionUse = ({ table, now }: Services, connection: Connection, id: string): AnswerUse => {
  let isReserved = false
  const buildSteps = () =>
    isReserved ? [] : [buildQuestionUseStep(connection.id, id, now(), () => createEndedError(connection))]
  return {
    reserve: async () => {
      await table.transact(buildSteps())
      isReserved = true
    },
    buildSteps,
  }
}

/**
 * The facts about a request that signs somebody in. Another person may be signed in at the browser by now, and does nothing of what
 * follows.
 */
const forgetCaller = ({ context }: Pick<Request, 'context'>) => ({
  ...context,
  actor: null,
  credential: undefined,
})

const buildSignIn = (request: Request, services: Services, { connection, use }: Waiting): AnswerContext => ({
  ...{ services, provider: connection, context: forgetCaller(request), use },
})

/** Whose session an answer would replace. What only an access link opened gives way. */
const findPresent = ({ principal }: Request) => (principal && isSignedIn(principal) ? principal : undefined)

const getPersonId = ({ actor, user }: SessionPrincipal): number => (actor ?? user).id

const chooseLanguage = ({ context, cookies, principal }: Request) =>
  choosePageLanguage({
    query: {},
    cookies,
    userLanguage: principal?.user.language ?? null,
    acceptLanguage: context.language,
  })

/** Asks whether to continue as the user of the answer, whose session replaces that of the person who is signed in. */
const askToSwitch = async (
  request: Request,
  services: Services,
  waiting: Waiting,
  answer: SignInAnswer | undefined,
): Promise<QuestionReply> => {
  const { cookies, params } = request
  const { connection, question, use, clearedCookies } = waiting
  const present = findPresent(request)
  const signIn = buildSignIn(request, services, waiting)
  const { identity } = question
  const foreseen = present && (await foreseeAnswer(signIn, { identity, flow: question }))
  if (!present || foreseen?.id === getPersonId(present)) {
    if (answer) throw createEndedError(connection)
    return startAgain(services, waiting, cookies)
  }
  waiting.noteUser(foreseen?.id)
  const account = foreseen?.username ?? describeAccountThere(signIn, identity)
  const user = present.user.username
  const language = chooseLanguage(request)
  const page = await askFirst(
    services,
    {
      question: 'switch',
      id: params.question,
      principal: present,
      language,
      template: builtPages.question,
      describe: (t) => ({
        title: t('switchQuestion', { account }),
        user: t('deviceUser', { user }),
        account: t('accountThere', {
          provider: connection.name,
          account: describeAccountThere(signIn, identity),
        }),
        warning: t('switchWarning', { provider: connection.name, user }),
        action: buildQuestionPath(connection.id, params.question),
        yes: t('switchYes', { account }),
        no: t('switchNo', { user }),
      }),
      facts: { connection: connection.id, user: foreseen?.id },
    },
    answer?.shown,
  )
  if (page) return page
  if (answer?.answer !== 'yes') return keepAsIs(services, use, clearedCookies)
  const opened = await openOrAskForCode(
    signIn,
    { identity, flow: question },
    {
      onlyUser: foreseen?.id,
      agreed: { replaced: getPersonId(present), user: foreseen?.id },
    },
  )
  if (opened.isAsked) return { status: 303, headers: { location: opened.location } }
  return leadOn(services, request, {
    location: opened.location,
    cookies: [...opened.cookies, ...clearedCookies],
    title: (t) => t('switchDone', { account }),
  })
}

/**
 * There is nothing to ask about: no one is signed in any more, or the user of the answer is. The identity provider answers once more.
 * The mark is corrected, so that this cannot repeat without an end.
 */
const startAgain = (
  { config }: Services,
  { connection, question }: Waiting,
  cookies: readonly string[],
): QuestionReply => {
  const sessionKey = readSessionCookie(config, { cookies: [...cookies] }) ?? ''
  return {
    status: 303,
    headers: { location: buildStartPath(connection, { ...question, link: null }) },
    cookies: [buildSessionMark(config, sessionKey, config.sessionLifetimes.users.lifetimeMs / 1000)],
  }
}

/**
 * Asks whether to connect the account of the answer, which belongs to no one here, to the account of the person. They prove first that
 * it is theirs.
 */
const askToConnect = async (
  request: Request,
  services: Services,
  waiting: Waiting,
  answer: SignInAnswer | undefined,
): Promise<QuestionReply> => {
  const { principal, context, params, isFromOwnPage } = request
  const { connection, question, use, clearedCookies } = waiting
  const canConnect =
    principal &&
    isSignedIn(principal) &&
    !isLimitedToOrganizations(principal) &&
    (await hasRecentProof(services, principal))
  if (!canConnect) return { status: 303, headers: { location: buildSignInUrl(services, params, 'login') } }
  waiting.noteUser(principal.user.id)
  await requireRightToLink(services, principal, { isFromOwnPage: answer ? isFromOwnPage : true })
  const signIn = { services, provider: connection, context, use }
  const { identity, returnTo } = question
  const account = describeAccountThere(signIn, identity)
  const [provider, user] = [connection.name, principal.user.username]
  const page = await askFirst(
    services,
    {
      question: 'connect',
      id: params.question,
      principal,
      language: chooseLanguage(request),
      template: builtPages.question,
      describe: (t) => ({
        title: t('connectQuestion', { account, provider, user }),
        user: t('deviceUser', { user }),
        otherUrl: buildSignInUrl(services, params, 'select_account'),
        other: t('deviceOtherUser'),
        account: t('accountThere', { provider, account }),
        warning: t('connectWarning', { account, provider, user }),
        action: buildQuestionPath(connection.id, params.question),
        yes: t('connectYes'),
        no: t('connectNo'),
      }),
      facts: {
        connection: connection.id,
        account: hashAccountName(toAccountName(services, connection, identity)),
      },
    },
    answer?.shown,
  )
  if (page) return page
  if (answer?.answer !== 'yes') return keepAsIs(services, use, clearedCookies)
  const link = { userId: principal.user.id, session: principal.hash }
  const location = buildReturnUrl(signIn, await linkAccount(signIn, identity, { returnTo, link }))
  return leadOn(services, request, { location, cookies: clearedCookies, title: (t) => t('connectDone') })
}

/**
 * Asks someone whose account there is connected to nobody here whether they want an account, or have one. The page has the present terms
 * of the sign-up policy, which a new account needs.
 */
const askToCreate: Ask = async (request, services, waiting, answer) => {
  const { principal, params } = request
  // They signed in to connect it.
  if (principal && isSignedIn(principal)) return askToConnect(request, services, waiting, answer)
  const { connection, question, use, clearedCookies } = waiting
  const terms = await findSignUpTerms(services)
  const wantsAccount = { termsVersion: answer?.terms ?? null }
  const signIn = { ...buildSignIn(request, services, waiting), wantsAccount, isPaid: question.isPaid }
  const { identity } = question
  const account = describeAccountThere(signIn, identity)
  const isMissingTerms = answer?.answer === 'yes' && terms !== undefined && answer.terms !== terms.version
  const page = await askFirst(
    services,
    {
      question: 'create',
      id: params.question,
      principal: undefined,
      language: chooseLanguage(request),
      template: builtPages.create,
      describe: (t) => ({
        title: t('createQuestion'),
        account: t('accountThere', { provider: connection.name, account }),
        unknown: t('createUnknown'),
        ...(terms && describeTerms(t, terms)),
        action: buildQuestionPath(connection.id, params.question),
        yes: t('createYes'),
        connectUrl: buildSignInUrl(services, params, 'login'),
        connect: t('connectAccounts'),
        no: t('deviceCancel'),
      }),
      facts: { connection: connection.id },
    },
    isMissingTerms ? undefined : answer?.shown,
  )
  if (page) return page
  if (answer?.answer !== 'yes') return keepAsIs(services, use, clearedCookies)
  const opened = await openSession(signIn, { identity, flow: question }, { onlyUser: undefined })
  return leadOn(services, request, {
    location: opened.location,
    cookies: [...opened.cookies, ...clearedCookies],
    title: (t) => t('codeDone'),
  })
}

/** The label of the box that accepts the terms, with a link to them. */
const describeTerms = (t: TranslatePlain, { version, url }: SignUpTerms): Texts => {
  const place = '\n'
  const [before = '', after = ''] = t('acceptTerms', { terms: place }).split(place)
  return {
    termsVersion: version,
    termsUrl: url,
    terms: t('terms', { version }),
    termsBefore: before,
    termsAfter: after,
  }
}

/** Asks for the code of the second factor. A wrong one can be corrected as often as the limits of codes allow. */
const askForCode: Ask = async (request, services, waiting, answer) => {
  const { params } = request
  const { connection, question, use, clearedCookies } = waiting
  const signIn = buildSignIn(request, services, waiting)
  const { identity, agreed } = question
  const firstRead = readOwner(signIn, identity)
  const userId = question.invitation?.userId ?? (await firstRead)
  waiting.noteUser(userId)
  const present = findPresent(request)
  const presentId = present && getPersonId(present)
  const isAgreed = agreed !== undefined && agreed.replaced === presentId && agreed.user === userId
  // Somebody else has signed in here since.
  if (presentId !== undefined && presentId !== userId && !isAgreed)
    return askToSwitch(request, services, waiting, answer)
  if (answer?.answer === 'no') return keepAsIs(services, use, clearedCookies)
  const account = describeAccountThere(signIn, identity)
  const decision: Decision = {
    ...{ question: 'code', id: params.question, principal: undefined },
    shown: { connection: connection.id, account },
  }
  const show = async (): Promise<QuestionReply> => {
    const { html, headers } = await renderPlainPage(
      builtPages.code,
      await findBranding(services),
      chooseLanguage(request),
      (t) => ({
        title: t('codeQuestion'),
        account: t('accountThere', { provider: connection.name, account }),
        action: buildQuestionPath(connection.id, params.question),
        shown: nameDecision(decision),
        label: t('codeLabel'),
        problem: waiting.isCodeWrong ? t('codeWrong') : undefined,
        yes: t('deviceContinue'),
        no: t('deviceCancel'),
      }),
    )
    return { status: 200, body: html, headers }
  }
  const otp = answer?.otp?.trim()
  if (!otp || !answer || !isDecisionNamed(decision, answer.shown)) return show()
  const opened = await openSession(signIn, { identity, flow: question }, { onlyUser: userId, firstRead, otp })
  return leadOn(services, request, {
    location: opened.location,
    cookies: [...opened.cookies, ...clearedCookies],
    title: (t) => t('codeDone'),
  })
}

const pages: Readonly<Record<QuestionKind, Ask>> = {
  switch: askToSwitch,
  connect: askToConnect,
  create: askToCreate,
  code: askForCode,
}

const buildSignInUrl = (
  { config }: Services,
  { id, question }: Request['params'],
  prompt: 'login' | 'select_account',
): string => {
  const url = new URL(config.signInUrl)
  url.searchParams.set('return_to', buildQuestionPath(id, question))
  url.searchParams.set('prompt', prompt)
  return url.href
}

/** Changes nothing. The answer of the identity provider can no longer be used. */
const keepAsIs = async (
  { config }: Services,
  use: AnswerUse,
  cookies: readonly string[],
): Promise<QuestionReply> => {
  await use.reserve()
  return { status: 303, headers: { location: toAccountPage(config.publicUrl) }, cookies }
}

interface Next {
  readonly location: string
  readonly cookies: readonly string[]
  readonly title: (t: TranslatePlain) => string
}

/**
 * Leads to the page where the sign-in started, by a page that opens it at once. Browsers apply the rule for forms to all redirects that
 * follow, and that page can be one of a product.
 */
const leadOn = async (
  services: Services,
  request: Request,
  { location, cookies, title }: Next,
): Promise<QuestionReply> => {
  const { html, headers } = await renderPlainPage(
    builtPages.done,
    await findBranding(services),
    chooseLanguage(request),
    (t) => ({ title: title(t), continueUrl: location, continue: t('deviceContinue') }),
  )
  return { status: 200, body: html, headers: { ...headers, refresh: `0; url=${location}` }, cookies }
}
