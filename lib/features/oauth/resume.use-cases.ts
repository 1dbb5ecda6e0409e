import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import {
  buildInteractionCookie,
  buildPendingClientCookie,
  readInteractionCookie,
  readOAuthCookie,
} from '../../http/oauth-cookie.ts'
import { choosePageLanguage } from '../../http/page.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import { oauthReturnsMax } from '../../kernel/limits/limits.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { LackingSignIn } from '../organizations/sign-in-rules.ts'
import { lacksOwnProof } from '../sign-in/proof-time.ts'
import { createExpiredError } from './authorization-refusal.ts'
import { findOrganizationChoice } from './choose-organization.ts'
import { needsAgreement } from './client-uris.ts'
import { type ClientRecord, findClient, isDocumentAddress } from './clients.records.ts'
import type { ConsentAnswer } from './flow.models.ts'
import { isSignedIn } from './grants.ts'
import { type Interaction, isProofEnough, openInteraction, sealInteraction } from './interactions.ts'
import type { oidc } from './operations.ts'
import { buildInteractionPath, providerPaths } from './provider/provider-paths.ts'
import { buildSignInUrl } from './provider/sign-in-url.ts'
import { runAuthorization, toPendingClient } from './run-authorization.part.ts'
import { nameSubject } from './token-claims.ts'

interface Resumed {
  readonly uid: string
  readonly principal: SessionPrincipal | undefined
  readonly cookies: readonly string[]
  readonly context: RequestContext
  /** The interaction that the browser means. Another one may have taken its place since. */
  readonly id?: string | undefined
  /** What the user answered on the page that this may show. */
  readonly answer?: ConsentAnswer
}

/**
 * Completes an authorization with the session that the browser has now. Only the browser that started it may complete it:
 * otherwise an attacker could have another person sign in for the attacker's client session, or the other way around.
 */
export const resumeAuthorization: UseCase<typeof oidc.resumeAuthorization> = (
  { params: { uid }, query: { id }, principal, cookies, context },
  services,
) => resume(services, { uid, id, principal, cookies, context })

/** The same, after the user was asked for their agreement. */
export const answerConsent: UseCase<typeof oidc.answerConsent> = (
  { params: { uid }, body: answer, principal, cookies, context },
  services,
) => resume(services, { uid, principal, cookies, context, answer })

const resume = async (services: Services, { uid, id, principal, cookies, context, answer }: Resumed) => {
  const { config } = services
  const browser = readOAuthCookie(config, cookies)
  const sealed = readInteractionCookie(config, cookies)
  if (browser === undefined || sealed === undefined) throw createExpiredError()
  const place = { browser, uid }
  const path = `${providerPaths.interaction}/${uid}`
  const interaction = await openInteraction(services, sealed, place)
  if (!interaction) throw createExpiredError()
  const user = principal && isSignedIn(principal) ? principal : undefined
  const leadToSignIn = async (prompt: 'login' | 'select_account', lacking?: LackingSignIn) => {
    // A sign-in page that returns at once, without a new sign-in, would otherwise lead to a loop.
    if (interaction.returns >= oauthReturnsMax) throw createExpiredError()
    const counted = await sealInteraction(
      services,
      { ...interaction, returns: interaction.returns + 1 },
      place,
    )
    const meant = { uid, id: interaction.id }
    const location = buildSignInUrl(config, meant, {
      ...{ params: interaction.parameters, prompt, lacking },
      lacksOwnProof: user && lacksOwnProof(user, user.session.authentication),
    })
    return {
      status: 303,
      headers: { location },
      cookies: [
        buildInteractionCookie(config, path, counted),
        buildPendingClientCookie(config, toPendingClient(uid, interaction)),
      ],
    } as const
  }
  if (!user || !isProofEnough(interaction, user)) return leadToSignIn('login')
  const choice = await findOrganizationChoice(
    services,
    user,
    interaction.parameters,
    interaction.organizationNeed,
  )
  if (choice.state === 'unproven') return leadToSignIn('login', choice.lacking)
  const isCancelled = choice.state === 'open' && answer?.answer === 'cancel'
  if (choice.state === 'open' && !isCancelled) {
    // Loaded on demand, because most people are in one organization at most.
    const { askForOrganization } = await import('./organization-choice.page.ts')
    const language = readLanguage(user, cookies, context)
    const asked = { uid, interaction, organizations: choice.organizations }
    const page = await askForOrganization(services, language, user, asked, answer?.shown)
    const chosen = choice.organizations.find(({ id: one }) => String(one) === answer?.organization)
    // What the user saw was another list. So they choose again, from this one.
    if (page) return page
    if (!chosen) throw createExpiredError()
    const settled = {
      ...interaction,
      parameters: { ...interaction.parameters, organization: String(chosen.id) },
    }
    const location = config.publicUrl + buildInteractionPath({ uid, id: interaction.id })
    const kept = buildInteractionCookie(config, path, await sealInteraction(services, settled, place))
    return { status: 303, headers: { location }, cookies: [kept] } as const
  }
  const client = isCancelled ? undefined : await findClientToAskAbout(services, interaction)
  if (client) {
    // Loaded on demand, because most clients have no such page.
    const { askForConsent } = await import('./consent.page.ts')
    const language = readLanguage(user, cookies, context)
    const organization = choice.state === 'settled' ? choice.organization : undefined
    const asked = { uid, client, interaction, organization }
    const page = await askForConsent(services, language, user, asked, answer?.shown)
    if (page) return page
    // What the user saw or answered was for another authorization. So they choose again, for this one.
  } else if (!isCancelled && (answer || id !== interaction.id)) return leadToSignIn('select_account')
  const consent = answer && (answer.answer === 'continue' ? 'given' : 'refused')
  const parameters = settleParameters(interaction, await isForAnotherUser(services, interaction, user))
  const reply = await runAuthorization({
    services,
    context,
    browser,
    parameters,
    interaction,
    consent,
    principal: user,
  })
  const removed = [buildInteractionCookie(config, path, ''), buildPendingClientCookie(config, undefined)]
  // Cookies of another interaction, which the library may have begun, come later and stay.
  return { ...reply, cookies: [...removed, ...reply.cookies] }
}

const readLanguage = (
  { user }: SessionPrincipal,
  cookies: readonly string[],
  { language }: RequestContext,
): Language =>
  choosePageLanguage({ query: {}, cookies, userLanguage: user.language, acceptLanguage: language })

/**
 * The client of an authorization that its user has to agree to. Most clients need no look-up to know that they are none.
 *
 * @throws AppError `invalid_request` if the client no longer exists
 */
const findClientToAskAbout = async (
  { table }: Services,
  { parameters }: Interaction,
): Promise<ClientRecord | undefined> => {
  const { client_id: clientId = '', redirect_uri: target = '' } = parameters
  if (!isDocumentAddress(clientId) && target.startsWith('https:')) return undefined
  const client = await findClient(table, clientId)
  if (!client) throw createExpiredError()
  return needsAgreement(client, parameters) ? client : undefined
}

/**
 * The parameters without what the sign-in has settled. If another user than the one whom the client means signed in, the
 * client gets an error instead of a code (OpenID Connect Core 3.1.2.2).
 */
const settleParameters = (
  { parameters, needsNewProof }: Interaction,
  isOther: boolean,
): Record<string, string> => {
  const { prompt = '', max_age, ...others } = parameters
  const isLeft = (name: string): boolean => name !== 'login' && name !== 'select_account'
  return listParameters({
    ...others,
    max_age: needsNewProof ? undefined : max_age,
    prompt: isOther ? 'none' : prompt.split(' ').filter(isLeft).join(' '),
  })
}

/** Whether the client means another user, by the subject that it knows. Takes a table call if it means one. */
const isForAnotherUser = async (
  { table }: Services,
  { parameters, subject }: Interaction,
  { user }: SessionPrincipal,
): Promise<boolean> => {
  if (subject === undefined) return false
  const client = await findClient(table, parameters['client_id'] ?? '')
  return client === undefined || nameSubject(user, client) !== subject
}
