import { useState } from 'preact/hooks'
import type { SAMLAccount } from '../../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { formatDate } from '../../kit/format.ts'
import { t as kitText } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'
import { accessMessages, t } from './messages.ts'

export const loadSection = async () => {
  await accessMessages.load()
  return ConnectionSection
}

/** The accounts elsewhere that the user can sign in with. */
const ConnectionSection = () => {
  const {
    value: accounts,
    failure,
    reload,
  } = useLoaded(async () => (await client.users.listOwnSamlAccounts({ ordering: 'linked_at' })).items)
  return (
    <section class="panel" aria-label={t('unlink')}>
      <p>{t('connectionsText')}</p>
      {failure && <Alert kind="problem">{describeFailure(failure)}</Alert>}
      {!accounts && !failure && <p role="status">{kitText('loading')}</p>}
      {accounts?.length === 0 && <p>{t('noConnections')}</p>}
      {accounts && accounts.length > 0 && (
        <ul class="items">
          {accounts.map((account) => (
            <ConnectionItem key={account.id} account={account} onUnlink={reload} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface ConnectionItemProps {
  readonly account: SAMLAccount
  readonly onUnlink: () => Promise<void>
}

const ConnectionItem = ({ account, onUnlink }: ConnectionItemProps) => {
  const { announce } = useAccount()
  const [isAsking, setAsking] = useState(false)
  const unlink = useConfirmedAction(async () => {
    announce('')
    await client.users.unlinkOwnSamlAccount(account.id)
    setAsking(false)
    await onUnlink()
    announce(t('unlinked'))
    return undefined
  })
  const { provider, name, linked_at: linked, last_used_at: used } = account
  const facts = [
    ...(name === null ? [] : [name]),
    ...(linked === null ? [] : [t('connectedOn', { date: formatDate(linked) })]),
    ...(used === null ? [] : [t('usedOn', { date: formatDate(used) })]),
  ]
  return (
    <li>
      <div class="item-text">
        <bdi class="item-name">{provider.name}</bdi>
        <bdi class="note">{facts.join(' · ')}</bdi>
      </div>
      <Button look="secondary" onClick={() => setAsking(true)}>
        {t('unlink')}
        <span class="for-screen-readers"> {provider.name}</span>
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={t('unlinkHeading', { provider: provider.name })}
          confirmLabel={t('unlink')}
          action={unlink}
          messages={{ last_sign_in_method: t('lastWay') }}
          onClose={() => setAsking(false)}
        >
          <p>{t('unlinkText')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
