import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { listConnections } from '../connections/list-connections.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('users')

interface ConnectAccountProps {
  readonly user: ServiceUserDetail
  readonly onConnect: () => void
}

/** Lets an account at an identity provider sign a user in, by the name that the provider sends. */
export const ConnectAccount = ({ user, onConnect }: ConnectAccountProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        {t('connectAccount')}
      </Button>
      {isOpen && <ConnectDialog user={user} onConnect={onConnect} onClose={() => setOpen(false)} />}
    </>
  )
}

const mostConnections = 500

const ConnectDialog = ({
  user,
  onConnect,
  onClose,
}: ConnectAccountProps & { readonly onClose: () => void }) => {
  const [chosen, setChosen] = useState('')
  const [name, setName] = useState('')
  const loaded = useLoaded((options) =>
    listConnections({ ordering: 'name', limit: mostConnections }, options),
  )
  const connect = async (): Promise<undefined> => {
    await client.users.linkUserCompanyAccount(user.id, { provider: Number(chosen), name: name.trim() })
    showToast(t('accountConnected'))
    onConnect()
    return undefined
  }
  return (
    <ConfirmDialog
      heading={t('connectAccount')}
      action={t('connectAccount')}
      look="primary"
      failures={{ account_taken: t('accountTaken') }}
      onConfirm={connect}
      onClose={onClose}
    >
      <p>{t('connectAccountText', { name: user.display_name })}</p>
      <ShowLoaded loaded={loaded}>
        {({ items }) => (
          <>
            <SelectField
              label={t('connection')}
              value={chosen}
              options={[
                { value: '', label: t('chooseConnection') },
                ...items.map((one) => ({ value: String(one.id), label: one.name })),
              ]}
              onChangeValue={setChosen}
            />
            <TextField
              label={t('nameThere')}
              hint={t('nameThereHint')}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              maxLength={255}
              value={name}
              onChangeValue={setName}
            />
          </>
        )}
      </ShowLoaded>
    </ConfirmDialog>
  )
}
