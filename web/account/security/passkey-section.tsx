import { useEffect, useState } from 'preact/hooks'
import type { Passkey } from '../../../lib/client/generated/models.ts'
import { formatDate } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/page-data.ts'
import { client } from '../../session-kit/client.ts'
import { updateConfirmationWays } from '../../session-kit/confirmation-ways.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'
import { Item, ItemList } from '../items.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'
import { PasskeyRequirement } from './passkey-requirement.tsx'

const t = messagesOf('security')

/** The passkeys of the user, and whether their password requires one. */
export const PasskeySection = () => {
  const { profile } = useAccount()
  const passkeys = useLoaded(
    async () => (await client.passkeys.listOwnPasskeys({ ordering: 'created_at' })).items,
  )
  const { value: content, reload } = passkeys
  useEffect(() => {
    if (content) updateConfirmationWays({ hasPasskey: content.length > 0 })
  }, [content])
  // A session that is only for the setup can add a passkey and nothing else.
  const isSetup = pageData.user?.session === 'setup' && !profile.totp_enabled
  return (
    <>
      <section class="panel" aria-label={t('addPasskey')}>
        <p>{t('passkeyText')}</p>
        <ItemList loaded={passkeys} empty={t('noPasskeys')}>
          {(passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} isFixed={isSetup} onChange={reload} />
          )}
        </ItemList>
        <AddPasskey isSetup={isSetup} onAdd={reload} />
      </section>
      {!isSetup && content && content.length > 0 && <PasskeyRequirement />}
    </>
  )
}

interface PasskeyItemProps {
  readonly passkey: Passkey
  readonly isFixed: boolean
  readonly onChange: () => Promise<void>
}

const PasskeyItem = ({ passkey, isFixed, onChange }: PasskeyItemProps) => {
  const [open, setOpen] = useState<'rename' | 'remove' | undefined>()
  const dialog = { passkey, onClose: () => setOpen(undefined), onChange }
  const { created_at: created, last_used_at: used, is_synced: isSynced } = passkey
  const facts = [
    t('addedOn', { date: formatDate(created) }),
    used === null ? t('neverUsed') : t('usedOn', { date: formatDate(used) }),
    isSynced ? t('passkeySynced') : t('passkeyOnOneDevice'),
  ]
  const actions = [
    { label: t('rename'), onClick: () => setOpen('rename') },
    { label: t('remove'), onClick: () => setOpen('remove') },
  ]
  return (
    <Item name={passkey.name} note={facts.join(' ')} actions={isFixed ? [] : actions}>
      {open === 'rename' && <RenamePasskey {...dialog} />}
      {open === 'remove' && <RemovePasskey {...dialog} />}
    </Item>
  )
}
