import { errors } from 'oidc-provider'
import { consume } from '../../../accounts/callers/throttle.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import { withEffectiveRoles } from '../../organizations/access.ts'
import { findNamedOrganization, readOrganizationName } from '../../organizations/named-organization.ts'
import { needsAgreement } from '../client-uris.ts'
import { type ClientRecord, getsOrganizations } from '../clients.records.ts'
import { buildGrantStep, createBranchId, createGrantId } from '../grants.records.ts'
import { nameClientTarget } from './one-time-tokens.ts'
import type { ProviderRun } from './run.ts'

/*
 * A refresh with an organization gives tokens for it by a grant of its own. The grant of the refresh token stays as it is: another tab
 * may show its organization.
 */

/**
 * Makes the grant of a refresh the one for the organization that the request names. Returns false if it names none, or the one that the
 * refresh token is for.
 *
 * @throws AccessDenied for a device, if the user is no member there, or if the session proves nothing about it
 */
export const switchOrganization = async (run: ProviderRun): Promise<boolean> => {
  const { services, client, grant, subject, named = {} } = run
  if (!client || !grant || !subject || readOrganizationName(named) === undefined) return false
  if (!getsOrganizations(client))
    throw new errors.InvalidRequest('this client gets no tokens for organizations')
  // The page of a device names no organization, so the user agreed to none.
  if (grant.origin !== 'browser') throw new errors.AccessDenied('a device gets no tokens for organizations')
  await consume(services, 'authorizationsPerSession', `${subject.session.userId} ${grant.sid}`)
  const result = await findNamedOrganization(services, subject, named)
  if (result.state !== 'member')
    throw new errors.AccessDenied('the user is no member of the organization, or has to sign in for it')
  const { found } = result
  const organizationId = found.organization.id
  if (organizationId === grant.organizationId) return false
  // The user agreed to another organization, on a page that named it.
  if (asksUsers(client))
    throw new errors.CustomOIDCProviderError(
      'interaction_required',
      'the user has to agree to another organization: send an authorization',
    )
  const createdAt = services.now()
  run.formerGrant = grant
  const { joining } = found.membership
  run.grant = { ...grant, id: createBranchId(grant, createGrantId()), organizationId, joining, createdAt }
  run.subject = { ...subject, organization: withEffectiveRoles(subject, found) }
  return true
}

/** Whether users agree to authorizations of a client, at some of its addresses at least. */
const asksUsers = (client: ClientRecord): boolean =>
  client.redirect_uris.some((uri) => needsAgreement(client, { redirect_uri: uri }))

/** The steps that store the new grant. */
export const buildBranchSteps = (run: ProviderRun): readonly Step[] => {
  const { context, grant } = run
  if (!grant) throw new Error('No grant was made.')
  const target = nameClientTarget(grant)
  const details = { user: grant.userId, target, ...omitUndefined({ organization: grant.organizationId }) }
  return [buildGrantStep(grant), ...(context ? [auditStep(context, 'oidc_client.authorized', details)] : [])]
}
