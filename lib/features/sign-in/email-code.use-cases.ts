import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal, auditRefusedSignIn } from '../../accounts/events/refusals.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { readSignInBrowser } from '../../http/sign-in-browser.ts'
import { buildSignInReply } from '../../http/sign-in-reply.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { emailCodeLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintEmailCodeRequest } from '../../kernel/secrets/email-codes.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { consumeWithProof } from '../network-limits/rules.ts'
import { proveSecondFactor } from '../second-factor/rules.ts'
import { completeClientSignIn, retrySignIn, type SignInAnswer } from './complete-sign-in.ts'
import { buildCodeRequestStep, buildUseCodeStep } from './email-codes.records.ts'
import { createCodeError, findUserOfCode, guessCode, type RightCode } from './email-codes.ts'
import type { SignInBrowser } from './factor-memory.ts'
import { limitSession } from './limit-session.ts'
import { findMissingProofs } from './missing-proofs.ts'
import type { EmailCodeLoginRequest } from './models.ts'
import type { sessions } from './operations.ts'
import { findSignInPolicy } from './policy.records.ts'
import { readProofRules } from './proof-rules.ts'
import { describeOffer, rememberFactor, useRememberedFactor } from './remembered-factor.ts'
import { createProviderRequiredError } from './required-sign-in.ts'

/**
 * Stores a request for a code and queues its email. The mailer looks up the account and creates the code later, so
 * neither the response nor its duration reveals whether the account exists.
 */
export const requestEmailCode: UseCase<typeof sessions.requestEmailCode> = async (
  { body, context },
  services,
) => {
  const { table, now } = services
  await consumeWithProof(services, 'request_email_code', context, body.proof)
  const stored = await findSignInPolicy(table)
  if (!stored?.policy.allow_email_codes)
    throw new AppError('permission_denied', { detail: 'Signing in with emailed codes is turned off.' })
  const { value, hash, salt } = mintEmailCodeRequest()
  const expiresAt = now() + emailCodeLifetimeMs
  const job = { kind: 'sign_in_code', name: body.username, requestHash: hash, salt } as const
  await table.transact([
    buildCodeRequestStep({ hash, purpose: 'sign_in', attempts: 0, expiresAt }),
    buildOutboxStep(job, context, now()),
  ])
  return { status: 200, body: { request_id: value, expires: formatTime(expiresAt) } }
}

/** Signs a user in with an emailed code and the request that the code belongs to. */
export const loginWithEmailCode: UseCase<typeof sessions.loginWithEmailCode> = async (sent, services) => {
  const { body, context, isFromOwnOrigin } = sent
  const browser = readSignInBrowser(services.config, sent, body)
  const { record, right } = await guessCode(services, 'sign_in', body)
  // Values of requests cannot be guessed. Only a flood of them is limited.
  if (!record) await countFailedLookup(services, context)
  if (!right) throw await refuse(services, context, record?.code?.userId)
  const signedIn = await retrySignIn(() => signInWithCode(services, context, { body, browser }, right))
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

/** The answer and the work are the same for a wrong code and for an account that does not exist. */
const refuse = async (
  services: Services,
  context: RequestContext,
  userId: number | undefined,
): Promise<AppError> => {
  await auditRefusal(services, context, 'login.failed', {
    user: userId ?? null,
    outcome: 'email_code_invalid',
  })
  return createCodeError('login_failed')
}

/**
 * Checks everything besides the code, and uses the code together with the second factor. A refusal leaves the code valid.
 *
 * @throws AppError `login_incomplete`, also for the audit log
 */
const signInWithCode = async (
  services: Services,
  context: RequestContext,
  { body, browser }: { readonly body: EmailCodeLoginRequest; readonly browser: SignInBrowser },
  { hash, code: sent }: RightCode,
): Promise<SignInAnswer> => {
  const [user, policy] = await Promise.all([findUserOfCode(services, sent), findSignInPolicy(services.table)])
  if (!user || !policy?.policy.allow_email_codes) throw await refuse(services, context, sent.userId)
  return auditRefusedSignIn(services, context, { user: user.id }, async () => {
    const code = { methods: ['email_code'] } as const
    const rules = await readProofRules(services, { user, policy }, code)
    const [first] = findMissingProofs(rules, code)
    if (first?.kind === 'required_connection') throw createProviderRequiredError(services, first.connection)
    const asked = { user, policy, browser }
    const used =
      first?.kind === 'code' && !body.otp?.trim()
        ? await useRememberedFactor(services, context, asked)
        : undefined
    const { methods, use, extraSteps } = used
      ? { methods: [], extraSteps: [] }
      : await proveSecondFactor(services, user, body.otp, context, () => describeOffer(services, asked))
    const proof = {
      methods: ['email_code' as const, ...methods],
      ...(used ? { isFactorRemembered: true as const } : {}),
    }
    const limits = limitSession(rules, findMissingProofs(rules, proof), {
      wantsSetup: body.second_factor_setup ?? false,
    })
    return completeClientSignIn(services, context, {
      user,
      methods: proof.methods,
      policy,
      target: 'email_code',
      device: used ?? (await rememberFactor(services, context, { ...asked, changedUser: user, methods })),
      updates: use ? [use.change] : [],
      session: limits,
      buildProofSteps: () => [
        buildUseCodeStep(hash, sent, () => createCodeError('login_failed')),
        ...extraSteps,
      ],
    })
  })
}
