import { useState } from 'preact/hooks'
import type {
  APIToken,
  HeldLink,
  ServiceUserDetail,
  UserHoldings,
} from '../../../lib/client/generated/models.ts'
import { day } from '../../../lib/kernel/util/time.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { ReplaceToken } from '../api-tokens/replace-token.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { formatMoment } from '../kit/moment.ts'
import { Panel } from '../kit/panel.tsx'
import { HandOverDialog } from './hand-over.tsx'

const consoleText = messagesOf('console')
const tokenText = messagesOf('apiTokens')
const t = messagesOf('leaver')

interface UsedByOthersProps {
  readonly user: ServiceUserDetail
  readonly holdings: UserHoldings
  /** The IDs of the API tokens that keep working for some days. */
  readonly kept: readonly number[]
  readonly onKeep: (id: number, isKept: boolean) => void
  readonly onChange: () => void
}

/** The access links and API tokens of a person that others may use. Links can get another owner, and tokens are replaced. */
export const UsedByOthers = ({ user, holdings, kept, onKeep, onChange }: UsedByOthersProps) => {
  const { can } = useCurrentUser()
  const [replaced, setReplaced] = useState<APIToken | undefined>()
  const [open, setOpen] = useState<{ readonly link: HeldLink | undefined } | undefined>()
  const { access_links: links, api_tokens: tokens } = holdings
  return (
    <Panel heading={t('others')} intro={t('othersIntro')}>
      {links.length + tokens.length === 0 && <p>{t('noOthers')}</p>}
      {links.length > 0 && (
        <ul class="items" aria-label={consoleText('accessLinks')}>
          {links.map((link) => (
            <li key={link.id}>
              <div>
                <bdi>{nameLink(link)}</bdi>
                <div class="note">{describeLink(link)}</div>
              </div>
              <Button look="secondary" onClick={() => setOpen({ link })}>
                {t('handOver')}
                <span class="for-screen-readers"> {nameLink(link)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {links.length > 1 && (
        <div class="row">
          <Button look="secondary" onClick={() => setOpen({ link: undefined })}>
            {t('handOverAll')}
          </Button>
        </div>
      )}
      {tokens.length > 0 && <p class="note">{t('tokensNote')}</p>}
      {tokens.length > 0 && (
        <ul class="items" aria-label={consoleText('apiTokens')}>
          {tokens.map((token) => (
            <li key={token.id}>
              <div>
                <bdi>{token.name}</bdi>
                <div class="note">{describeToken(token)}</div>
                {isKeepable(user, token) && (
                  <Checkbox
                    label={t('keep', { name: token.name, time: formatMoment(token.expires) })}
                    isChecked={kept.includes(token.id)}
                    onChange={(isKept) => onKeep(token.id, isKept)}
                  />
                )}
              </div>
              {can('system:admin-access') && (
                <Button look="secondary" onClick={() => setReplaced(token)}>
                  {tokenText('replace')}
                  <span class="for-screen-readers"> {token.name}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {tokens.length > 0 && !user.is_enabled && <p class="note">{t('keepDisabled')}</p>}
      {replaced && (
        <ReplaceToken
          token={replaced}
          owner={user}
          onReplaced={(until) => {
            onKeep(replaced.id, until !== undefined)
            onChange()
          }}
          onClose={() => setReplaced(undefined)}
        />
      )}
      {open && (
        <HandOverDialog user={user} link={open.link} onChange={onChange} onClose={() => setOpen(undefined)} />
      )}
    </Panel>
  )
}

interface EndingToken extends APIToken {
  readonly expires: string
}

/** Whether a token can work until its end although everything else ends. */
export const isKeepable = (
  { is_enabled: isEnabled }: ServiceUserDetail,
  token: APIToken,
): token is EndingToken =>
  isEnabled && token.expires !== null && Date.parse(token.expires) <= Date.now() + 7 * day

const nameLink = ({ name, object_count: count }: HeldLink): string =>
  count > 1 ? t('andMore', { name, count: count - 1 }) : name

const describeLink = ({ use_count: count, last_used_at: time }: HeldLink): string =>
  t('linkUse', { count, time: formatMoment(time) })

const describeToken = ({ last_used_at: time }: APIToken): string =>
  t('tokenUse', { time: formatMoment(time) })
