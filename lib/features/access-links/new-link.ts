import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { hashPassword } from '../../kernel/secrets/passwords.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { type AccessLinkRecord, type SharedObject, unknownRoot } from './link.records.ts'
import { getLinkVault } from './link-vault.ts'
import { allocateLinkPermissionIds, nextAccessLinkId } from './records.ts'
import type { AccessTokenPermissions, CreateAccessTokenRequest } from './requests.models.ts'
import { getLinkValueContext } from './rules.ts'

/** An access link that is complete apart from its recipient. */
export interface NewLink {
  readonly value: string
  readonly record: Omit<AccessLinkRecord, 'user' | 'isAnonymous' | 'easySharing'>
}

interface LinkMaking {
  readonly url: string | null
  readonly createdBy: number
  /** The joining of the creator in the organization of the link. */
  readonly joining: string | undefined
}

/** Creates the value, its hash, and its ciphertext, and allocates the IDs of the link and its permissions. */
export const buildAccessLink = async (
  services: Services,
  body: CreateAccessTokenRequest,
  { url, createdBy, joining }: LinkMaking,
): Promise<NewLink> => {
  const { table, config, now } = services
  const roots = [...new Set([...body.bundles, ...body.directories].map(getRoot))].sort((a, b) => a - b)
  const [{ id, createdAt }, firstPermission, passwordHash] = await Promise.all([
    nextAccessLinkId(table, now()),
    allocateLinkPermissionIds(table, roots.length),
    body.password == null ? null : hashPassword(body.password, config.passwordCost),
  ])
  const { value, hash } = mintCredential('access_token', id)
  const encryptedValue = await getLinkVault(services).encrypt(value, getLinkValueContext(id))
  return {
    value,
    record: {
      id,
      hash,
      encryptedValue,
      createdBy,
      ...omitUndefined({ organization: body.organization ?? undefined, joining }),
      createdAt,
      expiresAt: body.expires == null ? null : Date.parse(body.expires),
      view_limit_enabled: body.view_limit != null,
      view_limit_left: body.view_limit ?? 0,
      passwordHash,
      require_login: body.require_login,
      url,
      bundles: body.bundles.map((bundle) =>
        'name' in bundle ? { ...bundle, asset: bundle.asset ?? null } : bundle,
      ),
      directories: body.directories,
      permissions: listAllowed(body.permissions),
      roots: roots.map((root, at) => ({ id: firstPermission + at, root })),
      recentUses: {},
    },
  }
}

const getRoot = (object: SharedObject): number => object.root ?? unknownRoot

/** The names of the allowed actions. */
export const listAllowed = (permissions: AccessTokenPermissions): readonly string[] =>
  Object.entries(permissions).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []))
