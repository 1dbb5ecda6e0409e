import type { Language } from '../../lib/kernel/i18n/languages.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { toResource } from '../../lib/oidc/resources.ts'
import { scopeLines } from '../../lib/oidc/token-claims.ts'
import type { renderPlainPage } from '../../lib/plain-pages/plain-page.ts'
import type { OidcClient } from '../../lib/store/oidc/clients.ts'
import { chooseText, findProtectedApi, type ProtectedApi } from '../../lib/store/oidc/protected-apis.ts'

type Translate = Parameters<Parameters<typeof renderPlainPage>[3]>[0]

interface Access {
  readonly client: OidcClient
  readonly resource: string | undefined
  readonly scopes: readonly string[]
}

/** Reads what a client asks for, and returns the lines of a page that say it. */
export const readGrantedAccess = async (
  table: Table,
  language: Language,
  { client, resource, scopes }: Access,
) => {
  const allowed = client.apis.find(({ audience }) => toResource(audience) === resource)
  const api = allowed && (await findProtectedApi(table, allowed.id))
  return (t: Translate, app: string) => ({
    gets: t('deviceGets', { app }),
    ...Object.fromEntries(
      Object.entries(scopeLines).map(([scope, line]) => [scope, has(scopes, scope) ? t(line) : undefined]),
    ),
    audience: api && t('deviceGetsAudience', { audience: describeApi(api, scopes, language) }),
    offline: scopes.includes('offline_access') ? t('deviceGetsOffline') : undefined,
    continue: t('deviceContinue'),
    cancel: t('deviceCancel'),
  })
}

/** What belongs to `openid` is in every token. */
const has = (scopes: readonly string[], scope: string): boolean =>
  scope === 'openid' || scopes.includes(scope)

/** The name of an API, with what the client gets of it. */
const describeApi = (api: ProtectedApi, scopes: readonly string[], language: Language): string => {
  const granted = api.scopes.filter(({ name }) => scopes.includes(name))
  const texts = granted.map((scope) => chooseText(scope.texts, language))
  return texts.length === 0 ? api.name : `${api.name} (${texts.join(', ')})`
}
