import { useState } from 'preact/hooks'
import type { HeldLink, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { showToast } from '../kit/toast.tsx'
import { type FoundUser, UserPicker } from '../people/user-picker.tsx'

const t = messagesOf('leaver')

interface HandOverDialogProps {
  readonly user: ServiceUserDetail
  /** Undefined for all links. */
  readonly link: HeldLink | undefined
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Gives access links to another user, who is found by name. It says what the former owner still knows. */
export const HandOverDialog = ({ user, link, onChange, onClose }: HandOverDialogProps) => {
  const [to, setTo] = useState<FoundUser | undefined>()
  const [hasNewAddresses, setNewAddresses] = useState(false)
  const heading = link ? t('handOverHeading', { name: link.name }) : t('handOverAll')
  const handOver = async (owner: FoundUser): Promise<undefined> => {
    const request = {
      to: owner.id,
      new_addresses: hasNewAddresses,
      ...(link ? { access_links: [link.id] } : {}),
    }
    let count = 0
    let last: Awaited<ReturnType<typeof client.accessLinks.handOverAccessTokens>>
    do {
      last = await client.accessLinks.handOverAccessTokens(user.id, request)
      count += last.access_links.length
    } while (!last.is_complete)
    showToast(last.left > 0 ? t('linksLeft', { count: last.left }) : t('handedOver', { count }))
    onChange()
    return undefined
  }
  return to ? (
    <ConfirmDialog
      heading={heading}
      action={t('handOver')}
      look="primary"
      failures={{ invalid_request: t('cannotOwn', { name: to.display_name }) }}
      onConfirm={() => handOver(to)}
      onClose={onClose}
    >
      <p>{t('handOverText', { to: to.display_name, name: user.display_name })}</p>
      <Checkbox
        label={t('newAddresses')}
        hint={t('newAddressesHint', { to: to.display_name })}
        isChecked={hasNewAddresses}
        onChange={setNewAddresses}
      />
    </ConfirmDialog>
  ) : (
    <Dialog heading={heading} onClose={onClose}>
      <UserPicker action={t('choose')} without={[user.id]} onPick={setTo} />
    </Dialog>
  )
}
