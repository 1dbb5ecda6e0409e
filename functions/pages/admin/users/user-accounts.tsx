import { useState } from 'preact/hooks'
import type { SAMLAccount, ServiceUserDetail } from '../../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { t as consoleText } from '../kit/messages.ts'
import { Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'
import { t } from './messages.ts'

/** The accounts at identity providers that sign a user in. */
export const UserAccounts = ({ user }: { readonly user: ServiceUserDetail }) => {
  const accounts = useLoaded((options) => client.users.listUserSamlAccounts(user.id, {}, options))
  const [unlinked, setUnlinked] = useState<SAMLAccount | undefined>()
  return (
    <Panel heading={t('accounts')}>
      <ShowLoaded loaded={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('noAccounts')}</p>
          ) : (
            <ul class="items">
              {items.map((account) => (
                <li key={account.id}>
                  <div>
                    {account.provider.name}
                    <div class="note">{describeAccount(account)}</div>
                  </div>
                  <Button look="secondary" onClick={() => setUnlinked(account)}>
                    {t('unlink')}
                    <span class="for-screen-readers"> {account.provider.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
      {unlinked && (
        <ConfirmDialog
          heading={t('unlinkAccount')}
          action={t('unlink')}
          onConfirm={async () => {
            await client.users.unlinkUserSamlAccount(user.id, unlinked.id)
            showToast(t('unlinked'))
            accounts.reload()
            return undefined
          }}
          onClose={() => setUnlinked(undefined)}
        >
          <p>{t('unlinkText', { name: user.display_name, provider: unlinked.provider.name })}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

const describeAccount = ({ name, last_used_at: time }: SAMLAccount): string => {
  const use = t('lastUsed', { time: time === null ? consoleText('never') : formatDateTime(time) })
  return name === null ? use : `${name} · ${use}`
}
