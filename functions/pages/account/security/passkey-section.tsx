import { useEffect, useState } from 'preact/hooks'
import type { Passkey } from '../../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { formatDate } from '../../kit/format.ts'
import { t as kitText } from '../../kit/messages.ts'
import { pageData } from '../../kit/page-data.ts'
import { client } from '../../session-kit/client.ts'
import { updateConfirmationWays } from '../../session-kit/confirmation-ways.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'
import { AddPasskey } from './add-passkey.tsx'
import { securityMessages, t } from './messages.ts'
import { RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'
import { PasskeyRequirement } from './passkey-requirement.tsx'

export const loadSection = async () => {
  await securityMessages.load()
  return PasskeySection
}

/** The passkeys of the user, and whether their password requires one. */
const PasskeySection = () => {
  const { profile } = useAccount()
  const passkeys = useLoaded(
    async () => (await client.passkeys.listOwnPasskeys({ ordering: 'created_at' })).items,
  )
  const { value: content, failure, reload } = passkeys
  useEffect(() => {
    if (content) updateConfirmationWays({ hasPasskey: content.length > 0 })
  }, [content])
  // A session that is only for the setup can add a passkey and nothing else.
  const isSetup = pageData.user?.session === 'setup' && !profile.totp_enabled
  return (
    <>
      <section class="panel" aria-label={t('addPasskey')}>
        <p>{t('passkeyText')}</p>
        {failure && <Alert kind="problem">{describeFailure(failure)}</Alert>}
        {!content && !failure && <p role="status">{kitText('loading')}</p>}
        {content?.length === 0 && <p>{t('noPasskeys')}</p>}
        {content && content.length > 0 && (
          <ul class="items">
            {content.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} isFixed={isSetup} onChange={reload} />
            ))}
          </ul>
        )}
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
  return (
    <li>
      <div class="item-text">
        <bdi class="item-name">{passkey.name}</bdi>
        <span class="note">{facts.join(' ')}</span>
      </div>
      {!isFixed && (
        <div class="row">
          <Button look="secondary" onClick={() => setOpen('rename')}>
            {t('rename')}
            <span class="for-screen-readers"> {passkey.name}</span>
          </Button>
          <Button look="secondary" onClick={() => setOpen('remove')}>
            {t('remove')}
            <span class="for-screen-readers"> {passkey.name}</span>
          </Button>
        </div>
      )}
      {open === 'rename' && <RenamePasskey {...dialog} />}
      {open === 'remove' && <RemovePasskey {...dialog} />}
    </li>
  )
}
