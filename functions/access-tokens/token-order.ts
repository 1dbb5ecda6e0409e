import { buildPageUrl } from '../../lib/accounts/links/links.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import type { UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Config } from '../../lib/settings/config.ts'
import type { TokenOrder } from '../../lib/store/links/access-token-lists.ts'
import type { AccessTokenRecord, EasySharing } from '../../lib/store/records/access-token-record.ts'

type Field = UseCaseRequest<typeof accessTokens.getAllAccessTokens>['query']['ordering']['field']

/** A cursor contains the sort key, and has at most 2,048 characters. */
const sortedUrlLength = 900

/** The order of a list by a field, as responses show it. Users are in order of their IDs. */
export const getTokenOrder = (config: Pick<Config, 'publicUrl'>, field: Field): TokenOrder => {
  switch (field) {
    case 'id':
    case 'created_at':
      return 'id'
    case 'expires':
      return 'expires'
    case 'url':
      // A tab sorts before all characters of a URL, so that the ID decides between equal ones alone.
      return (token) => `${buildPageUrl(config, token).slice(0, sortedUrlLength)}\t`
    default:
      return keys[field]
  }
}

/** Links without easy sharing of this kind come last. */
const sharedBy = (kind: EasySharing['kind']) => (token: AccessTokenRecord) =>
  token.easySharing?.kind === kind ? token.easySharing.id : 'none'

const keys = {
  user: ({ user }: AccessTokenRecord) => user,
  created_by: ({ createdBy }: AccessTokenRecord) => createdBy,
  view_limit_left: ({ viewsLeft }: AccessTokenRecord) => viewsLeft,
  view_limit_enabled: ({ isViewLimited }: AccessTokenRecord) => Number(isViewLimited),
  has_password: ({ passwordHash }: AccessTokenRecord) => Number(passwordHash !== null),
  is_easy_sharing_for_bundle: sharedBy('bundle'),
  is_easy_sharing_for_directory: sharedBy('directory'),
}
