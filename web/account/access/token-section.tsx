import { useState } from 'preact/hooks'
import type { APIToken } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate, formatList, formatRelativeTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/page-data.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'
import { Item, ItemList } from '../items.tsx'
import { CreateToken } from './create-token.tsx'
import { describeScope } from './scope-choices.ts'
import { RenameToken, RevokeToken } from './token-dialogs.tsx'
import { TokenValue } from './token-value.tsx'

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
      {isCreating && <CreateToken onCreate={showValue} onCancel={() => setCreating(false)} />}
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
    t('createdOn', { date: formatDate(created) }),
    used === null ? t('neverUsed') : t('usedTime', { time: formatRelativeTime(used) }),
    describeExpiry(expires),
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

const describeExpiry = (expires: string | null): string => {
  if (expires === null) return t('neverExpires')
  const date = formatDate(expires)
  return Date.parse(expires) > Date.now() ? t('expiresOn', { date }) : t('expiredOn', { date })
}
