import type { RequestContext } from '../../../../accounts/callers/request-context.ts'
import { auditStep, thingSteps } from '../../../../accounts/events/write-event.ts'
import { normalizeUsername } from '../../../../accounts/names/names.ts'
import type { UserRecord } from '../../../../accounts/users/stored-user.records.ts'
import { invalidRequest } from '../../../../kernel/errors/errors.ts'
import { omitUndefined } from '../../../../kernel/util/object-fields.ts'
import type { Services } from '../../../../services.ts'
import { buildMadeSteps } from '../../../leaked-credentials/made.records.ts'
import { buildSignInNoticeSteps } from '../../edit-connections.ts'
import { validateOrganization } from '../../organization-fields.ts'
import { allocateConnectionId, createConnection } from '../../records.ts'
import { buildNewFields, samlDefaults } from '../fields.ts'
import { type SamlConnection, samlKind } from '../records.ts'
import { encryptKeyPair, generateKeyPair } from '../sp-keys.ts'
import { buildEmptyFields, createSetupLink, type NewSetupLink } from './setup-links.ts'

type SetupFields = Pick<SamlConnection, 'name' | 'organization_id' | 'auto_create_users'> &
  Partial<Pick<SamlConnection, 'default_organization_roles' | 'isFromOrganization'>>

/** Who creates a link, and as which member of the organization. */
interface SetupCreator {
  readonly creator: UserRecord
  readonly joining?: string | undefined
  readonly allowsDirectory: boolean
}

/** Creates a provider with a name alone, and the first link with which somebody sets it up. */
export const createSetup = async (
  services: Services,
  context: RequestContext,
  { creator, joining, allowsDirectory }: SetupCreator,
  fields: SetupFields,
): Promise<{ readonly connection: SamlConnection; readonly created: NewSetupLink }> => {
  const { table, config, now } = services
  const settings = { ...samlDefaults, ...fields }
  const errors = await validateOrganization(table, settings, undefined, samlDefaults)
  if (errors.length > 0) throw invalidRequest(errors)
  const id = await allocateConnectionId(table)
  const pair = await encryptKeyPair(services, id, await generateKeyPair(services))
  const created = createSetupLink(now(), id, {
    createdBy: creator.id,
    ...omitUndefined({ joining }),
    ...(allowsDirectory && { allowsDirectory }),
  })
  const connection: SamlConnection = {
    ...settings,
    ...buildNewFields(id),
    ...buildEmptyFields(config, id, pair.certificate),
    normalizedName: normalizeUsername(fields.name),
    disabled_in_client: true,
    sp_certificate: pair.certificate,
    spCertificateKey: pair.key,
    setup: { link: created.link },
  }
  await createConnection(table, samlKind, connection, [
    ...thingSteps(context, 'saml_provider.created', id),
    ...buildSignInNoticeSteps(context, connection),
    auditStep(context, 'saml_setup.link_created', { target: `${id} ${created.link.id}` }),
    ...buildMadeSteps(creator, { kind: 'saml_setup', connectionId: id, linkId: created.link.id }, now()),
  ])
  return { connection, created }
}
