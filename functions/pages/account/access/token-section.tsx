import { useState } from 'preact/hooks'
import type { APIToken } from '../../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { formatDate, formatList, formatRelativeTime } from '../../kit/format.ts'
import { t as kitText } from '../../kit/messages.ts'
import { pageData } from '../../kit/page-data.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'
import { CreateToken } from './create-token.tsx'
import { accessMessages, t } from './messages.ts'
import { describeScope } from './scope-choices.ts'
import { RenameToken, RevokeToken } from './token-dialogs.tsx'
import { TokenValue } from './token-value.tsx'

export const loadSection = async () => {
  await accessMessages.load()
  return TokenSection
}

/** The API tokens of the user. */
const TokenSection = () => {
  const { announce } = useAccount()
  const [isCreating, setCreating] = useState(false)
  const [value, setValue] = useState('')
  const {
    value: content,
    failure,
    reload,
  } = useLoaded(async () => (await client.apiTokens.listApiTokens({ ordering: '-id' })).items)
  const canChange = !pageData.user?.impersonatedBy
  const showValue = async (token: string) => {
    setCreating(false)
    setValue(token)
    announce(t('tokenCreated'))
    await reload()
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
      {failure && <Alert kind="problem">{describeFailure(failure)}</Alert>}
      {!content && !failure && <p role="status">{kitText('loading')}</p>}
      {content?.length === 0 && <p>{t('noTokens')}</p>}
      {content && content.length > 0 && (
        <ul class="items">
          {content.map((token) => (
            <TokenItem key={token.id} token={token} canChange={canChange} onChange={reload} />
          ))}
        </ul>
      )}
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
  return (
    <li>
      <div class="item-text">
        <bdi class="item-name">{name}</bdi>
        <span class="note">{facts.join(' ')}</span>
      </div>
      {canChange && (
        <div class="row">
          <Button look="secondary" onClick={() => setOpen('rename')}>
            {t('rename')}
            <span class="for-screen-readers"> {name}</span>
          </Button>
          <Button look="secondary" onClick={() => setOpen('revoke')}>
            {t('revoke')}
            <span class="for-screen-readers"> {name}</span>
          </Button>
        </div>
      )}
      {open === 'rename' && <RenameToken {...dialog} />}
      {open === 'revoke' && <RevokeToken {...dialog} />}
    </li>
  )
}

const describeExpiry = (expires: string | null): string => {
  if (expires === null) return t('neverExpires')
  const date = formatDate(expires)
  return Date.parse(expires) > Date.now() ? t('expiresOn', { date }) : t('expiredOn', { date })
}
