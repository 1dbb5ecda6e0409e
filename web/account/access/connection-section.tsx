import { useState } from 'preact/hooks'
import type { CompanyAccount } from '../../../lib/client/generated/models.ts'
import { formatDate } from '../../kit/format.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { Item, ItemList, useItemChange } from '../../session-kit/items.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'

/** Few people are in a directory. */
const DirectoryQuestions = loadChunk(
  async () => (await import('./directory-questions.tsx')).DirectoryQuestions,
)

const accountText = messagesOf('account')
const t = messagesOf('access')

/** The accounts elsewhere that the user can sign in with. */
export const ConnectionSection = () => {
  const accounts = useLoaded(
    async () => (await client.users.listOwnCompanyAccounts({ ordering: 'linked_at' })).items,
  )
  const isSent = accounts.value?.some(({ from_directory: isFromDirectory }) => isFromDirectory) === true
  return (
    <section class="panel" aria-label={t('unlink')}>
      <p>{t('connectionsText')}</p>
      {isSent && <DirectoryQuestions />}
      <ItemList loaded={accounts} empty={t('noConnections')}>
        {(account) => <ConnectionItem key={account.id} account={account} onChange={accounts.reload} />}
      </ItemList>
    </section>
  )
}

interface ConnectionItemProps {
  readonly account: CompanyAccount
  readonly onChange: () => Promise<void>
}

const ConnectionItem = ({ account, onChange }: ConnectionItemProps) => {
  const [isAsking, setAsking] = useState(false)
  const dialog = { onClose: () => setAsking(false), onChange }
  const unlink = useItemChange(dialog, t('unlinked'), () => client.users.unlinkOwnCompanyAccount(account.id))
  const { provider, name, linked_at: linked, last_used_at: used } = account
  const facts = [
    name,
    ...(linked === null ? [] : [t('connectedOn', { date: formatDate(linked) })]),
    ...(used === null ? [] : [t('usedOn', { date: formatDate(used) })]),
  ]
  return (
    <Item
      name={provider.name}
      note={facts.join(' · ')}
      actions={[{ label: t('unlink'), onClick: () => setAsking(true) }]}
    >
      {isAsking && (
        <ConfirmDialog
          heading={t('unlinkHeading', { provider: provider.name })}
          confirmLabel={t('unlink')}
          action={unlink}
          messages={{ last_sign_in_method: accountText('lastWay') }}
          onClose={dialog.onClose}
        >
          <p>{t('unlinkText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}
