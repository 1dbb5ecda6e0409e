import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { loadTokenName } from './event-actor.ts'

const t = messagesOf('audit')

/** The kinds of credential that events can have. */
export const credentialKinds = [
  'session',
  'api_token',
  'organization_token',
  'reset_token',
  'scim_token',
  'configuration',
] as const
type CredentialKind = (typeof credentialKinds)[number]

const labels = {
  session: 'session',
  api_token: 'apiToken',
  organization_token: 'organizationToken',
  reset_token: 'resetToken',
  scim_token: 'scimToken',
  configuration: 'configuration',
} as const satisfies Readonly<Record<CredentialKind, string>>

/** The kind of a credential, and the ID of one if it is known. The ID of an API token counts for its owner alone. */
export interface NamedCredential {
  readonly credential?: string | undefined
  readonly credential_id?: string | number | undefined
  readonly actor: string | number | null
}

/** Names a credential by its kind and its ID. A newer service can have kinds that this page does not know. */
export const nameCredential = ({ credential, credential_id: id }: NamedCredential): string => {
  const known = credentialKinds.find((kind) => kind === credential)
  const kind = known ? t(labels[known]) : (credential ?? '')
  return id ? t('objectById', { kind, id }) : kind
}

/** Names a credential. An API token has a name of its own. */
export const loadCredentialName = async (named: NamedCredential): Promise<string> => {
  const { credential, credential_id: id, actor } = named
  const name =
    credential === 'api_token' && id && actor ? await loadTokenName(Number(actor), Number(id)) : undefined
  return name === undefined ? nameCredential(named) : t('tokenActor', { name })
}

/** The filters for what a credential did. */
export const filterByCredential = ({ credential, credential_id: id, actor }: AuditEvent) => ({
  credential,
  ...(id !== undefined && { credential_id: String(id), actor: String(actor ?? '') }),
})
