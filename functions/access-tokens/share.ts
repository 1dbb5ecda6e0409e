import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { createAccessToken } from './create.ts'

/** Creates an access link as `createAccessToken` does. There is one kind of link, so the kind of the request is ignored. */
export const shareMediaLibraryObjects: UseCase<typeof accessTokens.shareMediaLibraryObjects> = (
  { body: { link_type: _, ...body }, ...request },
  services,
) => createAccessToken({ ...request, body }, services)
