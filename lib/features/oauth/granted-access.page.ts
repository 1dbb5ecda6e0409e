import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import type { renderPlainPage } from '../pages/plain/plain.page.ts'
import { listClaimNames } from './added-claims.ts'
import type { ClientRecord } from './clients.records.ts'
import { chooseText, findProtectedApi, type ProtectedApi } from './protected-apis.records.ts'
import { toResource } from './resources.ts'
import { scopeLines } from './token-claims.ts'

type Translate = Parameters<Parameters<typeof renderPlainPage>[3]>[0]

interface Access {
  readonly user: UserRecord
  readonly client: ClientRecord
  readonly resource: string | undefined
  readonly scopes: readonly string[]
  /** The name of the organization that the user chose. */
  readonly organization?: string | undefined
}

/** Reads what a client asks for, and returns the lines of a page that say it. */
export const readGrantedAccess = async (
  { table, config }: Pick<Services, 'table' | 'config'>,
  language: Language,
  { user, client, resource, scopes, organization }: Access,
) => {
  const allowed = client.apis.find(({ audience }) => toResource(audience) === resource)
  const api = allowed && (await findProtectedApi(table, allowed.id))
  const claims = listClaimNames({ client, scopes, api }, config.hooks?.beforeToken?.claims)
  return (t: Translate, app: string) => ({
    gets: t('deviceGets', { app }),
    ...Object.fromEntries(
      Object.entries(scopeLines).map(([scope, line]) => [scope, has(scopes, scope) ? t(line) : undefined]),
    ),
    ...(scopes.includes('profile') && {
      profile: t('deviceGetsValue', { what: t('deviceGetsProfile'), value: describeNames(user) }),
    }),
    ...(scopes.includes('email') &&
      user.email !== null && {
        email: t('deviceGetsValue', { what: t('deviceGetsEmail'), value: user.email }),
      }),
    // Values are not shown: an attribute can be hidden from its user.
    ...(claims.length > 0 && {
      attributes: t('deviceGetsValue', { what: t('deviceGetsAttributes'), value: claims.join(', ') }),
    }),
    organization:
      organization && t('deviceGetsValue', { what: t('deviceGetsOrganization'), value: organization }),
    audience: api && t('deviceGetsAudience', { audience: describeApi(api, scopes, language) }),
    offline: scopes.includes('offline_access') ? t('deviceGetsOffline') : undefined,
    continue: t('deviceContinue'),
    cancel: t('deviceCancel'),
  })
}

/** The name and the username, which may be the same. */
const describeNames = (user: UserRecord): string =>
  [...new Set([getDisplayName(user), user.username])].join(', ')

/** What belongs to `openid` is in every token. */
const has = (scopes: readonly string[], scope: string): boolean =>
  scope === 'openid' || scopes.includes(scope)

/** The name of an API, with what the client gets of it. */
const describeApi = (api: ProtectedApi, scopes: readonly string[], language: Language): string => {
  const granted = api.scopes.filter(({ name }) => scopes.includes(name))
  const texts = granted.map((scope) => chooseText(scope.texts, language))
  return texts.length === 0 ? api.name : `${api.name} (${texts.join(', ')})`
}
