import { randomBytes } from 'node:crypto'
import { hasPermission } from '../../../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../../../accounts/events/refusals.ts'
import { auditStep } from '../../../../accounts/events/write-event.ts'
import { isActive } from '../../../../accounts/users/account-state.ts'
import { findUser } from '../../../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../../../accounts/users/stored-user.records.ts'
import { AppError, conflict } from '../../../../kernel/errors/errors.ts'
import { setupLinkLifetimeMs } from '../../../../kernel/limits/saml-limits.ts'
import {
  hashCredential,
  isSameHash,
  mintCredential,
  parseCredential,
} from '../../../../kernel/secrets/credentials.ts'
import { retryConflicts } from '../../../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../../../kernel/table/transaction.ts'
import type { Services } from '../../../../services.ts'
import { buildMadeSteps } from '../../../leaked-credentials/made.records.ts'
import { listPermissionsOf } from '../../../organizations/access.ts'
import { readParts } from '../../../organizations/parts.records.ts'
import { rolePermission } from '../../../organizations/roles.ts'
import { toTokenPage } from '../../../pages/addresses.models.ts'
import { editConnectionOf, type SetupLink } from '../../records.ts'
import { findSamlConnection, getUnknownEntityId, type SamlConnection, samlKind } from '../records.ts'
import { forgetSetupDirectory } from './setup-directory.ts'

/*
 * A set-up link lets the administrator of a customer set up one connection, without an account. It belongs to the first
 * browser that opens it, and a connection has one link at most. So everything that goes live comes from one browser, also
 * if somebody else got the link. The link is stored with the provider. Every change of the provider depends on its version, so
 * a link that was revoked or replaced changes nothing any more.
 */

/** What an administrator's new link is, and the one time that its value is known. */
export interface NewSetupLink {
  readonly link: SetupLink
  readonly value: string
}

/** Who creates a link. */
export type SetupLinkMaker = Pick<SetupLink, 'createdBy' | 'joining' | 'allowsDirectory'>

/** Builds a new link of a provider. The caller stores it. */
export const createSetupLink = (nowMs: number, providerId: number, maker: SetupLinkMaker): NewSetupLink => {
  const { value, hash } = mintCredential('saml_setup', providerId)
  const id = randomBytes(9).toString('base64url')
  return {
    value,
    link: {
      id,
      hash,
      ...maker,
      createdAt: nowMs,
      expiresAt: nowMs + setupLinkLifetimeMs,
      usedAt: null,
      opened: null,
    },
  }
}

/** The page that a link leads to. */
export const getSetupUrl = ({ publicUrl }: Services['config'], value: string): string =>
  toTokenPage(publicUrl, 'setup', value)

/** The link of a provider that works now. A provider that was set up has none. */
export const findOpenLink = ({ setup }: SamlConnection, nowMs: number): SetupLink | undefined =>
  setup?.link && nowMs < setup.link.expiresAt ? setup.link : undefined

/**
 * The fields of a provider of which only the name and the rights are known. Until the metadata is known, the certificate of
 * this service stands in its place: no one else has the key, and it never signs responses.
 */
export const buildEmptyFields = (
  { publicUrl }: Services['config'],
  id: number,
  certificate: string,
): Pick<
  SamlConnection,
  | 'entity_id'
  | 'sso_url'
  | 'slo_url'
  | 'sloResponseUrl'
  | 'certificate'
  | 'metadata_url_source'
  | 'proposedMetadataUrl'
  | 'isMetadataSigned'
> => ({
  entity_id: getUnknownEntityId(id),
  sso_url: `${publicUrl}/setup`,
  slo_url: null,
  sloResponseUrl: null,
  certificate,
  metadata_url_source: null,
  proposedMetadataUrl: null,
  isMetadataSigned: false,
})

/**
 * Replaces the link of a provider that is being set up. The set-up starts again, because the first link may have been opened by
 * somebody else: what they sent must not go live with what the right person sends.
 *
 * @throws AppError `conflict` if the provider signs users in already
 * @throws EditConflict if the provider was changed concurrently
 */
export const replaceSetupLink = async (
  { table, config, now }: Services,
  context: RequestContext,
  provider: SamlConnection,
  { creator, allowsDirectory }: { readonly creator: UserRecord; readonly allowsDirectory: boolean },
): Promise<NewSetupLink> => {
  if (!provider.setup)
    throw conflict('The connection is live. A set-up link exists only for a connection that is being set up.')
  const created = createSetupLink(now(), provider.id, {
    createdBy: creator.id,
    ...(allowsDirectory && { allowsDirectory }),
  })
  const forgotten = await forgetSetupDirectory(table, provider)
  const changes = {
    ...buildEmptyFields(config, provider.id, provider.sp_certificate ?? provider.certificate),
    ...forgotten.changes,
    domains: [],
    setup: { link: created.link },
  }
  await editConnectionOf(table, samlKind, provider, changes, [
    ...forgotten.steps,
    auditStep(context, 'saml_setup.link_created', { target: `${provider.id} ${created.link.id}` }),
    ...buildMadeSteps(
      creator,
      { kind: 'saml_setup', connectionId: provider.id, linkId: created.link.id },
      now(),
    ),
  ])
  return created
}

/** A request with a link. */
export interface SetupRequest {
  readonly context: RequestContext
  readonly token: string
  /** Reads the secret that the browser got when it opened a link. */
  readonly readSecret: (linkId: string) => string | undefined
}

/** A link that works now, and its provider. */
export interface FoundSetup {
  readonly provider: SamlConnection
  readonly link: SetupLink
}

/**
 * Finds the provider of a link that the browser of the request opened.
 *
 * @throws AppError `invalid_token`, alike for a malformed, unknown, used, revoked and expired one
 * @throws AppError `permission_denied` with `setup_browser` in any other browser
 * @throws AppError `too_many_requests` after too many unknown ones
 */
export const requireSetup = async (services: Services, request: SetupRequest): Promise<FoundSetup> => {
  const found = await findSetup(services, request)
  await requireBrowser(services, request, found)
  return found
}

/** The link that a request opened, and the secret of its browser if that opened it just now. */
export interface OpenedSetup extends FoundSetup {
  readonly secret?: string
}

/**
 * Finds the provider of a link, and gives the link to the browser of the first request. Of any number of parallel requests, one
 * gets it.
 *
 * @throws AppError like `requireSetup`
 */
export const openSetup = (services: Services, request: SetupRequest): Promise<OpenedSetup> =>
  retryConflicts(async () => {
    const found = await findSetup(services, request)
    if (found.link.opened) {
      await requireBrowser(services, request, found)
      return found
    }
    const { context } = request
    const secret = randomBytes(32).toString('base64url')
    const opened = { at: services.now(), from: context.address, browser: hashCredential(secret) }
    const link = { ...found.link, opened }
    const provider = await editConnectionOf(services.table, samlKind, found.provider, { setup: { link } }, [
      auditStep(context, 'saml_setup.link_opened', { target: `${found.provider.id} ${link.id}` }),
    ])
    return { provider, link, secret }
  }, 'The connection kept changing while its set-up link was opened.')

const findSetup = async (services: Services, { context, token }: SetupRequest): Promise<FoundSetup> => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  const credential = parseCredential(token)
  if (credential?.kind !== 'saml_setup') throw new AppError('invalid_token')
  const provider = await findSamlConnection(services.table, credential.subject)
  const link = provider && findOpenLink(provider, services.now())
  if (
    provider &&
    link &&
    isSameHash(link.hash, credential.hash) &&
    (await isCreatorAllowed(services, provider, link))
  )
    return { provider, link }
  await auditRefusal(services, context, 'saml_setup.link_refused', { outcome: 'invalid_token' })
  await countFailedLookup(services, context)
  throw new AppError('invalid_token')
}

/**
 * A link that a member created works as long as the member may manage the sign-in of the organization. They may have left, also if they
 * joined again, lost the role
 * or been deleted, and the organization may be suspended.
 */
const isCreatorAllowed = async (
  { table, now }: Services,
  { isFromOrganization, organization_id: organizationId }: SamlConnection,
  link: SetupLink,
): Promise<boolean> => {
  if (!isFromOrganization) return true
  const user = organizationId === null ? undefined : await findUser(table, link.createdBy)
  if (organizationId === null || !user || !isActive(user, now())) return false
  const { organization, ...member } = await readParts(table, user.id, organizationId)
  if (organization?.state !== 'active') return false
  return (
    listPermissionsOf(user, member, link).includes('org:sign-in:manage') ||
    hasPermission(table, user, rolePermission)
  )
}

const requireBrowser = async (
  services: Services,
  { context, readSecret }: SetupRequest,
  { provider, link }: FoundSetup,
): Promise<void> => {
  const secret = readSecret(link.id)
  if (link.opened && secret !== undefined && isSameHash(link.opened.browser, hashCredential(secret))) return
  await auditRefusal(services, context, 'saml_setup.link_refused', {
    outcome: 'setup_browser',
    target: `${provider.id} ${link.id}`,
  })
  throw new AppError('permission_denied', {
    reason: 'setup_browser',
    detail:
      'A set-up link works only in the browser that opened it first. Ask the person who sent the link for a new one.',
  })
}

/** Ends the link of a provider. */
export const endSetupLink = async (
  { table }: Services,
  provider: SamlConnection,
  audit: readonly Step[],
): Promise<void> => {
  await editConnectionOf(table, samlKind, provider, { setup: { link: null } }, audit)
}
