import { useState } from 'preact/hooks'
import type { ConnectedApp } from '../../../lib/client/generated/models.ts'
import { formatDate, formatList } from '../../kit/format.ts'
import { chooseText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { Item, ItemList, useItemChange } from '../../session-kit/items.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'

const t = messagesOf('access')

/** The apps that can get tokens about the user. */
export const AppSection = () => {
  const apps = useLoaded(async () => (await client.users.listOwnApps({ ordering: '-connected_at' })).items)
  return (
    <section class="panel" aria-label={t('apps')}>
      <p>{t('appsText')}</p>
      <ItemList loaded={apps} empty={t('noApps')}>
        {(app) => <AppItem key={app.id} app={app} onChange={apps.reload} />}
      </ItemList>
    </section>
  )
}

interface AppItemProps {
  readonly app: ConnectedApp
  readonly onChange: () => Promise<void>
}

const AppItem = ({ app, onChange }: AppItemProps) => {
  const [isAsking, setAsking] = useState(false)
  const dialog = { onClose: () => setAsking(false), onChange }
  const end = useItemChange(dialog, t('appEnded', { name: app.name }), () => client.users.endOwnApp(app.id))
  const { name, scopes, apis, connected_at: since, last_used_at: used } = app
  const facts = [
    t('appSees', { list: formatList(scopes.flatMap(describeScope)) }),
    ...(scopes.includes('offline_access') ? [t('appStays')] : []),
    ...(apis.length > 0 ? [t('appUses', { list: formatList(apis.map(describeApi)) })] : []),
    t('appSince', { date: formatDate(since) }),
    t('usedOn', { date: formatDate(used) }),
  ]
  return (
    <Item
      name={name}
      note={facts.join(' ')}
      actions={[{ label: t('endApp'), onClick: () => setAsking(true) }]}
    >
      {isAsking && (
        <ConfirmDialog
          heading={t('endAppHeading', { name })}
          confirmLabel={t('endApp')}
          action={end}
          onClose={dialog.onClose}
        >
          <p>{t('endAppText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}

/** The name of an API, with what the app got of it. */
const describeApi = ({ name, scopes }: ConnectedApp['apis'][number]): string =>
  scopes.length === 0 ? name : `${name} (${formatList(scopes.map(({ texts }) => chooseText(texts)))})`

const scopeTexts = {
  openid: ['appWho'],
  profile: ['appProfile'],
  email: ['appEmail'],
  phone: ['appPhone'],
  address: ['appAddress'],
  groups: ['appGroups'],
  permissions: ['appPermissions'],
  attributes: ['appAttributes'],
  organization: ['appOrganization'],
  offline_access: [],
} as const

const describeScope = (scope: ConnectedApp['scopes'][number]): readonly string[] =>
  scopeTexts[scope].map((name) => t(name))
