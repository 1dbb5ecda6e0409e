import { useState } from 'preact/hooks'
import type { Passkey, ServiceUserDetail } from '../../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { t as consoleText } from '../kit/messages.ts'
import { Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'
import { t as people } from '../people/messages.ts'
import { t } from './messages.ts'

/** The passkeys of a user, for one that was lost. */
export const UserPasskeys = ({ user }: { readonly user: ServiceUserDetail }) => {
  const passkeys = useLoaded((options) => client.passkeys.listUserPasskeys(user.id, {}, options))
  const [removed, setRemoved] = useState<Passkey | undefined>()
  return (
    <Panel heading={t('passkeys')}>
      <ShowLoaded loaded={passkeys}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('noPasskeys')}</p>
          ) : (
            <ul class="items">
              {items.map((passkey) => (
                <li key={passkey.id}>
                  <div>
                    {passkey.name}
                    <div class="note">{describeUse(passkey)}</div>
                  </div>
                  <Button look="secondary" onClick={() => setRemoved(passkey)}>
                    {people('remove')}
                    <span class="for-screen-readers"> {passkey.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
      {removed && (
        <ConfirmDialog
          heading={t('removePasskey')}
          action={people('remove')}
          onConfirm={async () => {
            await client.passkeys.deleteUserPasskey(user.id, removed.id)
            showToast(t('passkeyRemoved'))
            passkeys.reload()
            return undefined
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t('removePasskeyText', { name: user.display_name, passkey: removed.name })}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

const describeUse = ({ last_used_at: time }: Passkey): string =>
  t('lastUsed', { time: time === null ? consoleText('never') : formatDateTime(time) })
