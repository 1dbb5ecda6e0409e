import { createHash } from 'node:crypto'
import type { EasySharing, SharedBundle, SharedObject } from './link.records.ts'
import { listAllowed } from './new-link.ts'
import type { CreateAccessTokenRequest } from './requests.models.ts'

interface SharingTerms {
  /** The page as it is stored. */
  readonly url: string | null
  /** Null for an anonymous guest. */
  readonly recipientId: number | null
  /** The joining of the creator in the organization of the link. */
  readonly joining: string | undefined
}

/**
 * What a request for easy sharing shares, and on which terms. Null without easy sharing. A request with a password has
 * no terms, so it always creates a link: comparing the password would let the caller guess it without a limit.
 *
 */
export const buildEasySharing = (body: CreateAccessTokenRequest, terms: SharingTerms): EasySharing | null => {
  const object = body.is_easy_sharing ? getSharedObject(body) : undefined
  if (!object) return null
  return body.password == null ? { ...object, terms: hashTerms(body, terms) } : object
}

/** Returns the first object of a request. Easy sharing requires exactly one. */
const getSharedObject = ({
  bundles: [bundle],
  directories: [directory],
}: Pick<CreateAccessTokenRequest, 'bundles' | 'directories'>): EasySharing | undefined => {
  if (bundle) return { kind: 'bundle', id: bundle.id }
  return directory && { kind: 'directory', id: directory.id }
}

/**
 * Everything that decides what the link opens, for whom, and for how long. The name of the object is only shown. An object
 * that is shared by its ID has no root and no path, so its terms differ from those of an object with a place.
 */
const hashTerms = (
  {
    bundles,
    directories,
    permissions,
    expires,
    view_limit,
    require_login,
    organization,
  }: CreateAccessTokenRequest,
  { url, recipientId, joining }: SharingTerms,
): string => {
  const terms = [
    bundles.map(({ root, path, asset }: SharedBundle) => [root ?? null, path ?? null, asset ?? null]),
    directories.map(({ root, path }: SharedObject) => [root ?? null, path ?? null]),
    [...listAllowed(permissions)].sort(),
    recipientId,
    expires == null ? null : Date.parse(expires),
    view_limit ?? null,
    require_login,
    url,
    ...(organization == null ? [] : [organization, joining]),
  ]
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url')
}
