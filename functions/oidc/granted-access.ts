import type { Language } from '../../lib/i18n/languages.ts'
import { toResource } from '../../lib/oidc/resources.ts'
import type { renderPlainPage } from '../../lib/plain-pages/plain-page.ts'
import type { Table } from '../../lib/store/engine/table.ts'
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
  const has = (scope: string, text: string) => (scopes.includes(scope) ? text : undefined)
  return (t: Translate, app: string) => ({
    gets: t('deviceGets', { app }),
    id: t('deviceGetsId'),
    profile: has('profile', t('deviceGetsProfile')),
    email: has('email', t('deviceGetsEmail')),
    groups: has('groups', t('deviceGetsGroups')),
    permissions: has('permissions', t('deviceGetsPermissions')),
    attributes: has('attributes', t('deviceGetsAttributes')),
    audience: api && t('deviceGetsAudience', { audience: describeApi(api, scopes, language) }),
    offline: has('offline_access', t('deviceGetsOffline')),
    continue: t('deviceContinue'),
    cancel: t('deviceCancel'),
  })
}

/** The name of an API, with what the client gets of it. */
const describeApi = (api: ProtectedApi, scopes: readonly string[], language: Language): string => {
  const granted = api.scopes.filter(({ name }) => scopes.includes(name))
  const texts = granted.map((scope) => chooseText(scope.texts, language))
  return texts.length === 0 ? api.name : `${api.name} (${texts.join(', ')})`
}
