import { invalidRequest } from '../../../../kernel/errors/errors.ts'
import type { Services } from '../../../../services.ts'
import type { RequestContext } from '../../../access/request-context.ts'
import { auditStep } from '../../../audit/write-event.ts'
import { normalizeUsername } from '../../../directory/names.ts'
import { validateOrganization } from '../../organization-fields.ts'
import { allocateConnectionId, createConnection } from '../../records.ts'
import { buildNewFields, samlDefaults } from '../fields.ts'
import { type SamlConnection, samlKind } from '../records.ts'
import { encryptKeyPair, generateKeyPair } from '../sp-keys.ts'
import { buildEmptyFields, createSetupLink, type NewSetupLink, type SetupLinkMaker } from './setup-links.ts'

type SetupFields = Pick<SamlConnection, 'name' | 'organization_id' | 'auto_create_users'> &
  Partial<Pick<SamlConnection, 'default_organization_roles' | 'isFromOrganization'>>

/** Creates a provider with a name alone, and the first link with which somebody sets it up. */
export const createSetup = async (
  services: Services,
  context: RequestContext,
  maker: SetupLinkMaker,
  fields: SetupFields,
): Promise<{ readonly connection: SamlConnection; readonly created: NewSetupLink }> => {
  const { table, config, now } = services
  const settings = { ...samlDefaults, ...fields }
  const errors = await validateOrganization(table, settings, undefined)
  if (errors.length > 0) throw invalidRequest(errors)
  const id = await allocateConnectionId(table)
  const pair = await encryptKeyPair(services, id, await generateKeyPair(services))
  const created = createSetupLink(now(), id, maker)
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
    auditStep(context, 'saml_provider.created', { target: String(id) }),
    auditStep(context, 'saml_setup.link_created', { target: `${id} ${created.link.id}` }),
  ])
  return { connection, created }
}
