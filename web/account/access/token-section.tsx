import { useState } from 'preact/hooks'
import type { APIToken } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog, RenameDialog } from '../../session-kit/confirm-dialog.tsx'
import { Item, type ItemDialogProps, ItemList, useItemChange } from '../../session-kit/items.tsx'
import { describeUse, longestTokenName, TokenValue } from '../../session-kit/new-token.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'
import { CreateToken, describeScope } from './create-token.tsx'

const t = messagesOf('access')

/** The API tokens of the user. */
export const TokenSection = () => {
  const { announce } = useAccount()
  const [isCreating, setCreating] = useState(false)
  const [value, setValue] = useState('')
  const tokens = useLoaded(async () => (await client.apiTokens.listApiTokens({ ordering: '-id' })).items)
  const canChange = !pageData.user?.impersonatedBy
  const showValue = async (token: string) => {
    setCreating(false)
    setValue(token)
    announce(t('tokenCreated'))
    await tokens.reload()
  }
  const forgetValue = () => {
    announce('')
    setValue('')
  }
  return (
    <section class="panel" aria-label={t('newToken')}>
      <p>{t('tokensText')}</p>
      {value && <TokenValue value={value} onStored={forgetValue} />}
      {isCreating && (
        <CreateToken knownTokens={tokens.value} onCreate={showValue} onCancel={() => setCreating(false)} />
      )}
      {canChange && !isCreating && !value && (
        <div class="row">
          <Button onClick={() => setCreating(true)}>{t('newToken')}</Button>
        </div>
      )}
      <ItemList loaded={tokens} empty={t('noTokens')}>
        {(token) => <TokenItem key={token.id} token={token} canChange={canChange} onChange={tokens.reload} />}
      </ItemList>
    </section>
  )
}

interface TokenItemProps {
  readonly token: APIToken
  readonly canChange: boolean
  readonly onChange: () => Promise<void>
}

const TokenItem = ({ token, canChange, onChange }: TokenItemProps) => {
  const [open, setOpen] = useState<'rename' | 'revoke' | undefined>()
  const dialog = { token, onClose: () => setOpen(undefined), onChange }
  const { name, scopes, expires, created_at: created, last_used_at: used } = token
  const facts = [
    ...describeUse({ created, used, expires }),
    t('allowed', { list: scopes === null ? t('allRights') : formatList(scopes.map(describeScope)) }),
  ]
  const actions = [
    { label: t('rename'), onClick: () => setOpen('rename') },
    { label: t('revoke'), onClick: () => setOpen('revoke') },
  ]
  return (
    <Item name={name} note={facts.join(' ')} actions={canChange ? actions : []}>
      {open === 'rename' && <RenameToken {...dialog} />}
      {open === 'revoke' && <RevokeToken {...dialog} />}
    </Item>
  )
}

interface TokenDialogProps extends ItemDialogProps {
  readonly token: APIToken
}

const RenameToken = ({ token, ...dialog }: TokenDialogProps) => {
  const rename = useItemChange(dialog, t('nameSaved'), (name: string) =>
    client.apiTokens.patchApiToken(token.id, { name }),
  )
  return (
    <RenameDialog
      heading={t('renameToken')}
      label={t('tokenName')}
      name={token.name}
      maxLength={longestTokenName}
      action={rename}
      onClose={dialog.onClose}
    />
  )
}

const RevokeToken = ({ token, ...dialog }: TokenDialogProps) => {
  const revoke = useItemChange(dialog, t('tokenRevoked'), () => client.apiTokens.deleteApiToken(token.id))
  return (
    <ConfirmDialog
      heading={t('revokeHeading', { name: token.name })}
      confirmLabel={t('revoke')}
      action={revoke}
      onClose={dialog.onClose}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
