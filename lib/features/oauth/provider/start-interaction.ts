import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { SessionPrincipal } from '../../../accounts/callers/principal.ts'
import { oauthInteractionCharacters } from '../../../kernel/limits/limits.ts'
import { isClassEnough } from '../../sign-in/authentication-class.ts'
import { isNewProof, lacksOwnProof } from '../../sign-in/proof-time.ts'
import { findOrganizationChoice, readOrganizationNeed } from '../choose-organization.ts'
import { needsAgreement } from '../client-uris.ts'
import type { ClientRecord } from '../clients.records.ts'
import { countStart } from '../count-start.ts'
import { hasEndedAccess } from '../grants.ts'
import {
  chooseInteractionUid,
  createInteractionId,
  type Interaction,
  sealInteraction,
} from '../interactions.ts'
import { nameSubject } from '../token-claims.ts'
import { buildInteractionPath } from './provider-paths.ts'
import { getRun, type ProviderRun } from './run.ts'
import { buildSignInUrl, choosePrompt, reasonsForChoice } from './sign-in-url.ts'

/** Reasons for which the user has to prove their identity again, also if they are signed in. */
const reasonsForNewProof = ['login_prompt', 'max_age', 'unproven_time', 'access_ended', 'acr_values']

/**
 * When a user has to sign in. `prompt=consent` is accepted without a page, because there is nothing to consent to.
 * `prompt=select_account` comes after `login`, whose proof of identity is also a choice.
 */
export const buildInteractionPolicy = () => {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.clear()
  const choice = new interactionPolicy.Prompt({ name: 'select_account', requestable: true })
  choice.checks.add(
    new interactionPolicy.Check(
      'unproven_client',
      'another program could pretend to be the client, so the user has to agree',
      'interaction_required',
      isUnprovenRequest,
    ),
  )
  // Before the agreement, whose page names the organization.
  const organization = new interactionPolicy.Prompt({ name: 'organization', requestable: false })
  organization.checks.add(
    new interactionPolicy.Check(
      'organization_choice',
      'the user has to choose an organization',
      'interaction_required',
      isOrganizationOpen,
    ),
  )
  policy.add(organization)
  policy.add(choice)
  // The library compares the user with the ID token of a request. This is the same for an authorization that waited.
  const checks = policy.get('login')?.checks
  checks?.add(
    new interactionPolicy.Check(
      'hinted_subject',
      'id_token_hint and authenticated subject do not match',
      'login_required',
      isForAnotherUser,
    ),
  )
  checks?.add(
    new interactionPolicy.Check(
      'access_ended',
      'the user ended the access of the client',
      'login_required',
      isAccessEnded,
    ),
  )
  checks?.add(
    new interactionPolicy.Check(
      'organization_proof',
      'the organization requires another sign-in, or the session counts in another one',
      'login_required',
      isUnproven,
    ),
  )
  checks?.add(
    new interactionPolicy.Check(
      'unproven_time',
      'the present sign-in does not prove when the user authenticated',
      'login_required',
      isTimeUnproven,
    ),
  )
  checks?.add(
    new interactionPolicy.Check('acr_values', 'a stronger sign-in is needed', 'login_required', isTooWeak),
  )
  return policy
}

/**
 * Whether the user still has to agree. Only their answer on the page about this authorization says that they did: someone who has
 * signed in on the way may not have seen any page.
 *
 * @throws AccessDenied for the client, if the user refused
 */
const isUnprovenRequest = (): boolean => {
  const { client, parameters = {}, consent } = getRun()
  if (consent === 'refused') throw new errors.AccessDenied('the user refused')
  return client !== undefined && consent !== 'given' && needsAgreement(client, parameters)
}

/**
 * Whether the user has to choose an organization. Settles it otherwise.
 *
 * @throws AccessDenied for the client, if the user is not in the organization that it names, or refused
 */
const isOrganizationOpen = async (): Promise<boolean> => {
  const run = getRun()
  const { client, principal, consent } = run
  if (consent === 'refused') throw new errors.AccessDenied('the user refused')
  if (!client || !principal) return false
  const choice = await findChoice(run, principal, client)
  if (choice.state === 'unproven') return false
  if (choice.state === 'refused') throw new errors.AccessDenied('the user is no member of the organization')
  if (choice.state === 'missing')
    throw new errors.AccessDenied('the user is in no organization, and the client requires one')
  // The library asks for the grant before it checks this. It is stored with the code.
  if (choice.state === 'settled' && run.grant)
    run.grant = {
      ...run.grant,
      organizationId: choice.organization.id,
      joining: choice.membership.joining,
    }
  return choice.state === 'open'
}

/** What an authorization asks for. The library checks twice, and the table is read once. */
const findChoice = (run: ProviderRun, principal: SessionPrincipal, client: ClientRecord) => {
  const { parameters = {}, services } = run
  const need = readOrganizationNeed(client, parameters)
  run.choice ??= findOrganizationChoice(services, principal, parameters, need)
  return run.choice
}

/** Whether the user has to sign in again, because the session does not prove what the organization requires. */
const isUnproven = async (): Promise<boolean> => {
  const run = getRun()
  const { client, principal } = run
  if (!client || !principal) return false
  return (await findChoice(run, principal, client)).state === 'unproven'
}

const isAccessEnded = (): boolean => {
  const { principal, client } = getRun()
  return principal !== undefined && client !== undefined && hasEndedAccess(principal, client)
}

/**
 * Whether the client asks for a stronger sign-in than the present one (RFC 9470 4).
 *
 * @throws UnmetAuthenticationRequirements for the client, if the user was asked for one and did not have it
 */
const isTooWeak = (): boolean => {
  const { principal, parameters, interaction } = getRun()
  const methods = principal?.session.authentication.methods
  if (!methods || isClassEnough(parameters?.['acr_values'] ?? '', methods)) return false
  if (interaction?.needsNewProof)
    throw new errors.UnmetAuthenticationRequirements('the user has no stronger way to sign in')
  return true
}

/**
 * Whether the client asks how old the sign-in is, and the present one is no new proof, however late it was. After a new one, this is not
 * asked again.
 */
const isTimeUnproven = (): boolean => {
  const { principal, parameters } = getRun()
  if (!principal || parameters?.['max_age'] === undefined) return false
  return !isNewProof(principal, principal.session.authentication)
}

/** Whether an authorization that waited is for another user than the present one. */
const isForAnotherUser = (): boolean => {
  const { principal, client, interaction } = getRun()
  const hinted = interaction?.subject
  if (hinted === undefined || !principal || !client) return false
  return nameSubject(principal.user, client) !== hinted
}

/**
 * Has the browser keep an authorization that needs a sign-in, and returns the URL of the sign-in page.
 *
 * @throws InvalidRequest for the client, if the browser could not keep it
 * @throws AppError `too_many_requests` if the network of a user who is signed in started too many
 */
export const startInteraction = async (
  ctx: KoaContextWithOIDC,
  {
    params,
    prompt,
  }: { readonly params: Readonly<Record<string, unknown>>; readonly prompt: { readonly reasons: string[] } },
): Promise<string> => {
  const run = getRun()
  const { services, browser, context, parameters } = run
  if (browser === undefined || !context || !parameters)
    throw new Error('An interaction needs the cookie of its browser.')
  // One of a stranger was counted before anything was read for it.
  if (run.principal) await countStart(services, { address: context.address, userId: run.principal.user.id })
  const { id_token_hint: _, ...kept } = parameters
  const hinted = ctx.oidc.entities.IdTokenHint?.payload['sub']
  const interaction: Interaction = {
    id: createInteractionId(),
    createdAt: services.now(),
    parameters: kept,
    needsNewProof: prompt.reasons.some((reason) => reasonsForNewProof.includes(reason)),
    lacksStrength: prompt.reasons.every((reason) => reason === 'acr_values'),
    subject: typeof hinted === 'string' ? hinted : run.interaction?.subject,
    organizationNeed: run.client && readOrganizationNeed(run.client, parameters),
    returns: 0,
  }
  const uid = chooseInteractionUid(browser, interaction.needsNewProof)
  const sealed = await sealInteraction(services, interaction, { browser, uid })
  if (sealed.length > oauthInteractionCharacters)
    throw new errors.InvalidRequest('the parameters are too long for a sign-in')
  run.started = { uid, sealed, interaction }
  const place = { uid, id: interaction.id }
  // The page that asks for the organization offers another account as well.
  if (prompt.reasons.includes('organization_choice'))
    return services.config.publicUrl + buildInteractionPath(place)
  // The page that asks for the agreement offers another account as well. Users who are signed in need no other one.
  if (isUnprovenRequest() && prompt.reasons.every((reason) => reasonsForChoice.includes(reason)))
    return services.config.publicUrl + buildInteractionPath(place)
  const { lacksStrength } = interaction
  const choice = await run.choice
  return buildSignInUrl(services.config, place, {
    params,
    lacking: choice?.state === 'unproven' ? choice.lacking : undefined,
    prompt: choosePrompt(prompt.reasons),
    lacksStrength,
    lacksOwnProof: run.principal && lacksOwnProof(run.principal, run.principal.session.authentication),
  })
}
