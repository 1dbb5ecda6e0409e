import type { Principal } from '../../../accounts/callers/principal.ts'
import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { findForbiddenField } from '../../../kernel/contract/field-rights.ts'
import { AppError, conflict, invalidRequest, notFound } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { mapRows } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import { isAdministrator } from '../../directory/rights/account-rights.ts'
import { createDomain } from '../domains.ts'
import { readConnectionPage, storeConnectionChanges, storeNewConnection } from '../edit-connections.ts'
import type { connections } from '../operations.ts'
import { chooseDefaultRoles } from '../organization-fields.ts'
import { allocateConnectionId } from '../records.ts'
import { removeConnection } from '../remove-connection.part.ts'
import { reportExpiredCertificates, reportTransientNames } from './certificate-warnings.ts'
import {
  applySamlBody,
  buildNewFields,
  resetFields,
  samlDefaults,
  toAdminProviderBody,
  toProviderBody,
  validateSamlConnection,
} from './fields.ts'
import { type SAMLProvider, samlFields } from './models.ts'
import {
  EntityIdTaken,
  findEntityIdOwner,
  isUnknownEntityId,
  type SamlChanges,
  type SamlConnection,
  samlKind,
} from './records.ts'
import { requireProvider } from './saml-context.ts'
import { forgetSetupDirectory } from './setup/setup-directory.ts'
import { type KeyPairPlan, planKeyPair } from './sp-key-pair.ts'
import { encryptKey, encryptKeyPair, generateKeyPair } from './sp-keys.ts'

/** Creates a SAML provider. If the body has no service provider key, one is generated, so that requests can be signed. */
export const createSamlProvider: UseCase<typeof connections.createSamlProvider> = async (
  { body, context },
  services,
) => {
  const { table, config } = services
  const { name, entity_id, sso_url, certificate } = body
  const plain = applySamlBody(
    {
      ...samlDefaults,
      ...chooseDefaultRoles(body.organization_id),
      ...buildNewFields(0),
      name: name ?? entity_id,
      normalizedName: '',
      entity_id,
      sso_url,
      certificate,
    },
    body,
  )
  const { plan, errors } = planKeyPair(body, undefined)
  const all = [...(await validateSamlConnection(config, table, plain, undefined)), ...errors]
  if (all.length > 0) throw invalidRequest(all)
  // The transaction below decides. Checking first avoids generating a key in vain, which takes a second.
  if ((await findEntityIdOwner(table, entity_id)) !== undefined) throw new EntityIdTaken()
  const id = await allocateConnectionId(table)
  const pair = await createFirstPair(services, id, plan)
  const provider = await storeNewConnection(services, context, samlKind, { ...plain, id, ...pair })
  reportExpiredCertificates(services, provider)
  reportTransientNames(services, provider)
  const location = `/api/2/auth/saml/${id}`
  return { status: 201, headers: { location }, body: toAdminProviderBody(config, provider) }
}

type PairFields = Pick<
  SamlConnection,
  'sp_certificate' | 'spCertificateKey' | 'nextSpPair' | 'previousSpPair'
>

const createFirstPair = async (
  services: Services,
  id: number,
  { mustGenerate, certificate, key }: KeyPairPlan,
): Promise<PairFields> => {
  const generated = mustGenerate
    ? await encryptKeyPair(services, id, await generateKeyPair(services))
    : undefined
  const given = key && 'text' in key ? await encryptKey(services, id, key) : null
  return {
    sp_certificate: generated?.certificate ?? certificate,
    spCertificateKey: generated?.key ?? given,
    nextSpPair: null,
    previousSpPair: null,
  }
}

/** Lists SAML providers. The list is public, because a sign-in page needs it before a user is signed in. */
export const getAllSamlProviders: UseCase<typeof connections.getAllSamlProviders> = async (
  request,
  { table, config },
) => {
  const { field } = request.query.ordering
  const { isShown, bodyOf } = await chooseView(table, config, request)
  const found = await readConnectionPage(table, samlKind, field, readPageRequest(request), isShown)
  const page = await mapRows(found, async (rows) => rows.map((row) => bodyOf(config, row)))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getSamlProvider: UseCase<typeof connections.getSamlProvider> = async (
  request,
  { table, config },
) => {
  const provider = await requireProvider(table, request.params.id)
  const { isShown, bodyOf } = await chooseView(table, config, request)
  if (!isShown(provider)) throw notFound('connection')
  return { status: 200, body: bodyOf(config, provider) }
}

/** What a caller sees of providers. One in set-up is nothing for sign-in pages yet, so only administrators see it. */
interface ProviderView {
  readonly isShown: (provider: SamlConnection) => boolean
  readonly bodyOf: typeof toProviderBody
}

const chooseView = async (
  table: Table,
  { hidesConnections }: Config,
  { principal }: Pick<UseCaseRequest<typeof connections.getSamlProvider>, 'principal'>,
): Promise<ProviderView> => {
  if (principal && (await isAdministrator(table, principal)))
    return { isShown: () => true, bodyOf: toAdminProviderBody }
  const isShown = ({ setup, disabled_in_client: isHidden }: SamlConnection) =>
    !setup && !(isHidden && hidesConnections)
  return { isShown, bodyOf: toProviderBody }
}

/**
 * Replaces a SAML provider. Fields that the body omits return to their defaults, except for the service provider key
 * pair, which stays.
 */
export const updateSamlProvider: UseCase<typeof connections.updateSamlProvider> = async (
  request,
  services,
) => {
  const provider = await requireProvider(services.table, request.params.id)
  const { body } = request
  const plain = applySamlBody({ ...provider, ...resetFields, name: body.entity_id }, body)
  return { status: 200, body: await applyChanges(request, services, provider, plain) }
}

/** Changes the fields that the body contains. */
export const patchSamlProvider: UseCase<typeof connections.patchSamlProvider> = async (request, services) => {
  const provider = await requireProvider(services.table, request.params.id)
  const plain = applySamlBody(provider, request.body)
  return { status: 200, body: await applyChanges(request, services, provider, plain) }
}

/** What only the holder of a set-up link can have sent. */
const fromNoLink = { sloResponseUrl: null, proposedMetadataUrl: null, isMetadataSigned: false } as const

/**
 * Takes a provider that is being set up live with what an administrator knows about it. Domains need a new proof if the holder of
 * its link had sent other metadata: theirs counted for that.
 */
export const takeSamlProviderLive: UseCase<typeof connections.takeSamlProviderLive> = async (
  request,
  services,
) => {
  const { table } = services
  const provider = await requireProvider(table, request.params.id)
  if (!provider.setup) throw conflict('The connection is live already.')
  const { body } = request
  const plain = applySamlBody({ ...provider, ...resetFields, name: provider.name }, body)
  if (isUnknownEntityId(plain.entity_id))
    throw invalidRequest([{ field: 'entity_id', message: 'must be that of the identity provider' }])
  const owner = await findEntityIdOwner(table, plain.entity_id)
  if (owner !== undefined && owner !== provider.id) throw new EntityIdTaken()
  const kept = (['entity_id', 'sso_url', 'certificate'] as const).filter(
    (name) => plain[name] === provider[name],
  )
  const isAsSent = kept.length === 3
  const domains = isAsSent ? provider.domains : provider.domains.map(({ name }) => createDomain(name))
  const forgotten = await forgetSetupDirectory(table, provider)
  const next = {
    ...plain,
    ...fromNoLink,
    ...forgotten.changes,
    domains,
    // The holder of a link who chose any of it could sign in as an administrator with it.
    setup: kept.length > 0 ? null : undefined,
  }
  return { status: 200, body: await applyChanges(request, services, provider, next, forgotten.steps) }
}

type Request = Pick<UseCaseRequest<typeof connections.patchSamlProvider>, 'body' | 'principal' | 'context'>

const applyChanges = async (
  request: Request,
  services: Services,
  connection: SamlConnection,
  plain: SamlConnection,
  extraSteps: readonly Step[] = [],
): Promise<SAMLProvider> => {
  const { table, config } = services
  const { plan, errors } = planKeyPair(request.body, connection)
  const all = [...(await validateSamlConnection(config, table, plain, connection)), ...errors]
  if (all.length > 0) throw invalidRequest(all)
  const next: SamlConnection = {
    ...plain,
    ...(await buildPairChanges(services, connection, plan)),
    // The response location belongs to the logout URL, so a new logout URL resets it.
    ...(plain.slo_url === connection.slo_url ? {} : { sloResponseUrl: null }),
    // Whether the metadata at a new URL is signed is not known yet.
    ...(plain.metadata_url_source === connection.metadata_url_source ? {} : { isMetadataSigned: false }),
  }
  const edited = await storeConnectionChanges(services, request, samlKind, {
    fields: samlFields,
    connection,
    next,
    extraSteps,
    check: (changes) => requireRightToChangeFields(request.principal, changes),
  })
  if (edited === connection) return toAdminProviderBody(config, connection)
  reportExpiredCertificates(services, edited)
  reportTransientNames(services, edited)
  return toAdminProviderBody(config, edited)
}

/**
 * A caller who chooses the certificate, the keys or the template of a provider can sign in as its users. An API token must
 * not turn into a session that way.
 */
const requireRightToChangeFields = ({ kind }: Principal, changes: SamlChanges): void => {
  const { normalizedName: _, ...shown } = changes
  if (kind === 'api_token' && findForbiddenField(samlFields, ['api_token'], Object.keys(shown)))
    throw new AppError('permission_denied', {
      detail:
        'API tokens can change only the name of a SAML provider and whether clients show it. Sign in instead.',
    })
}

/** Deletes a SAML provider. Repeating the request resumes an interrupted deletion. */
export const deleteSamlProvider: UseCase<typeof connections.deleteSamlProvider> = (request, services) =>
  removeConnection(request, services, samlKind)

/** A key pair in the body ends a rotation that is in progress. */
const buildPairChanges = async (
  services: Services,
  provider: SamlConnection,
  { certificate, key }: KeyPairPlan,
): Promise<SamlChanges> => {
  const isSameKey = (key?.fingerprint ?? null) === (provider.spCertificateKey?.fingerprint ?? null)
  if (isSameKey && certificate === provider.sp_certificate) return {}
  const spCertificateKey = key && 'text' in key ? await encryptKey(services, provider.id, key) : key
  return {
    sp_certificate: certificate,
    spCertificateKey: isSameKey ? provider.spCertificateKey : spCertificateKey,
    nextSpPair: null,
    previousSpPair: null,
  }
}
