import { randomBytes } from 'node:crypto'
import { AppError, conflict } from '../../errors/errors.ts'
import { setupLinkLifetimeMs, setupLinksPerProvider } from '../../limits/saml-limits.ts'
import { isSameHash, mintCredential, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import {
  editSamlProvider,
  findSamlProvider,
  type SamlProviderRecord,
  type SetupLink,
} from '../../store/saml/saml-providers.ts'
import { auditRefusal, auditStep, type RequestContext } from '../common/request-context.ts'
import { countFailedLookup } from '../common/throttle.ts'

/*
 * A set-up link lets the administrator of a customer set up one connection, without an account. The links are stored with
 * the provider. Every change of the provider depends on its version, so a link that was revoked changes nothing any more.
 */

/** What an administrator's new link is, and the one time that its value is known. */
export interface NewSetupLink {
  readonly link: SetupLink
  readonly value: string
}

/** Builds a new link of a provider. The caller stores it. */
export const createSetupLink = (nowMs: number, providerId: number, createdBy: number): NewSetupLink => {
  const { value, hash } = mintCredential('saml_setup', providerId)
  const id = randomBytes(9).toString('base64url')
  return {
    value,
    link: { id, hash, createdBy, createdAt: nowMs, expiresAt: nowMs + setupLinkLifetimeMs, usedAt: null },
  }
}

/** The links of a provider that work now. A provider that was set up has none. */
export const listOpenLinks = ({ setup }: SamlProviderRecord, nowMs: number): readonly SetupLink[] =>
  (setup?.links ?? []).filter(({ expiresAt }) => nowMs < expiresAt)

/**
 * Adds a link to a provider that is being set up.
 *
 * @throws AppError `conflict` if the provider signs users in already, or has too many links
 * @throws EditConflict if the provider was changed concurrently
 */
export const addSetupLink = async (
  { table, now }: Services,
  context: RequestContext,
  provider: SamlProviderRecord,
  createdBy: number,
): Promise<NewSetupLink> => {
  requireInSetup(provider)
  const open = listOpenLinks(provider, now())
  if (open.length >= setupLinksPerProvider)
    throw conflict(`A connection has at most ${setupLinksPerProvider} set-up links. Revoke one first.`)
  const created = createSetupLink(now(), provider.id, createdBy)
  await editSamlProvider(table, provider, { setup: { links: [...open, created.link] } }, [
    auditStep(context, 'saml_setup.link_created', { target: `${provider.id} ${created.link.id}` }),
  ])
  return created
}

/** @throws AppError `conflict` if a provider was set up, so that users sign in with it */
export const requireInSetup = (provider: SamlProviderRecord): void => {
  if (!provider.setup)
    throw conflict('The connection is live. A set-up link exists only for a connection that is being set up.')
}

/** A link that works now, and its provider. */
export interface FoundSetup {
  readonly provider: SamlProviderRecord
  readonly link: SetupLink
}

/**
 * Finds the provider of a link.
 *
 * @throws AppError `invalid_token`, alike for a malformed, unknown, used, revoked and expired one
 * @throws AppError `too_many_requests` after too many of them
 */
export const requireSetup = async (
  services: Services,
  context: RequestContext,
  value: string,
): Promise<FoundSetup> => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  const credential = parseCredential(value)
  if (credential?.kind !== 'saml_setup') throw new AppError('invalid_token')
  const provider = await findSamlProvider(services.table, credential.subject)
  const link =
    provider && listOpenLinks(provider, services.now()).find(({ hash }) => isSameHash(hash, credential.hash))
  if (provider && link) return { provider, link }
  await auditRefusal(services, context, 'saml_setup.link_refused', { outcome: 'invalid_token' })
  await countFailedLookup(services, context)
  throw new AppError('invalid_token')
}

/** Ends a link. Returns nothing if there is no such link any more. */
export const endSetupLink = async (
  { table }: Services,
  provider: SamlProviderRecord,
  link: SetupLink,
  audit: Parameters<typeof editSamlProvider>[3],
): Promise<void> => {
  const links = (provider.setup?.links ?? []).filter(({ id }) => id !== link.id)
  await editSamlProvider(table, provider, { setup: { links } }, audit)
}
