import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict } from '../../kernel/errors/errors.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import type { ScimSettings } from '../connections/records.ts'
import { storeSetupChange } from '../connections/saml/setup/set-up-provider.ts'
import { requireDirectoryAllowed } from '../connections/saml/setup/setup-directory.ts'
import { startSetupChange, toSetupBody } from '../connections/saml/setup-changes.part.ts'
import { buildMadeStep } from '../leaked-credentials/made.records.ts'
import { auditedFields, initial, show } from './settings.use-cases.ts'
import type { scimSetup } from './setup.operations.ts'
import { allocateScimTokenId, buildScimTokenSteps } from './tokens.records.ts'

/** Lets the directory send people and groups once the connection is live. */
export const startSamlSetupDirectory: UseCase<typeof scimSetup.startSamlSetupDirectory> = async (
  request,
  services,
) => {
  const change = await startSetupChange(services, request)
  requireDirectoryAllowed(change.link)
  const { provider, link, context } = change
  const before = provider.scim ?? initial
  if (before.isOn) return { status: 200, body: toSetupBody(services, provider, link) }
  const scim: ScimSettings = { ...before, isOn: true, isFromSetup: true }
  const facts = describeFacts({ fields: auditedFields, before: show(before), after: show(scim) })
  const stored = await storeSetupChange(change, { scim }, 'turned the directory on', [
    auditStep(context, 'scim.changed', { target: String(provider.id), ...facts }),
  ])
  return { status: 200, body: toSetupBody(services, stored, link) }
}

/**
 * Creates a token of the directory. It is stored together with a change of the connection, so a link that was replaced or ended since creates
 * none.
 */
export const createSamlSetupDirectoryToken: UseCase<typeof scimSetup.createSamlSetupDirectoryToken> = async (
  request,
  services,
) => {
  const change = await startSetupChange(services, request)
  requireDirectoryAllowed(change.link)
  const { provider, link, context } = change
  if (!provider.scim?.isOn) throw conflict('Turn the directory on first.')
  const { value, hash } = mintCredential('scim_token', provider.id)
  const [at, id] = [services.now(), await allocateScimTokenId(services.table)]
  const { createdBy } = link
  await storeSetupChange(change, {}, `created the token ${id} of the directory`, [
    ...buildScimTokenSteps({
      ...{ hash, id, connectionId: provider.id, createdBy, createdAt: at, lastUsedAt: null },
      setupLink: link.id,
    }),
    auditStep(context, 'scim.token_created', { target: `${provider.id} ${id}` }),
    buildMadeStep(createdBy, { kind: 'scim_token', connectionId: provider.id, hash }, at),
  ])
  return { status: 201, body: { id, token: value } }
}
