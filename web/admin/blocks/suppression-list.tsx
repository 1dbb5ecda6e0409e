import { useState } from 'preact/hooks'
import type { SuppressedAddress } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { type Column, DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { showToast } from '../kit/toast.tsx'
import { useList } from '../kit/use-list.ts'

const consoleText = messagesOf('console')
const t = messagesOf('blocks')

/** Email addresses that receive nothing, because of a bounce or a complaint. */
export const SuppressionList = () => {
  const [address, setAddress] = useState('')
  const [lifted, setLifted] = useState<SuppressedAddress | undefined>()
  const list = useList(
    (page, options) =>
      client.audit.listSuppressedAddresses({ ...page, ...(address ? { address } : {}) }, options),
    address,
  )
  const columns: readonly Column<SuppressedAddress>[] = [
    { name: 'who', header: t('who'), cell: (found) => found.address },
    {
      name: 'what',
      header: t('what'),
      cell: ({ reason }) => (reason === 'bounce' ? t('bounce') : t('complaint')),
    },
    { name: 'since', header: t('since'), cell: ({ since }) => formatDateTime(since) },
    { name: 'until', header: t('until'), cell: ({ until }) => formatDateTime(until) },
    {
      name: 'lift',
      header: t('lift'),
      hidesHeader: true,
      cell: (found) => (
        <Button look="secondary" onClick={() => setLifted(found)}>
          {t('lift')}
          <span class="for-screen-readers"> {found.address}</span>
        </Button>
      ),
    },
  ]
  return (
    <>
      <div class="toolbar">
        <SearchField label={t('findAddress')} value={address} onSearch={setAddress} />
      </div>
      <DataList
        label={t('suppressed')}
        list={list}
        idOf={({ key }) => key}
        columns={columns}
        empty={<p>{address ? consoleText('noResults') : t('noSuppressed')}</p>}
      />
      {lifted && (
        <ConfirmDialog
          heading={t('liftLimit')}
          action={t('lift')}
          look="primary"
          onConfirm={async () => {
            await client.audit.liftSuppression(lifted.key)
            showToast(t('lifted'))
            list.reload()
            return undefined
          }}
          onClose={() => setLifted(undefined)}
        >
          <p>{t('liftAddressText', { who: lifted.address })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
