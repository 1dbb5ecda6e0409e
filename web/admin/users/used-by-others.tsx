import { useState } from 'preact/hooks'
import type {
  APIToken,
  HeldLink,
  ServiceUserDetail,
  UserHoldings,
} from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { formatMoment } from '../kit/moment.ts'
import { Panel } from '../kit/panel.tsx'
import { HandOverDialog } from './hand-over.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('leaver')

interface UsedByOthersProps {
  readonly user: ServiceUserDetail
  readonly holdings: UserHoldings
  readonly onChange: () => void
}

/** The access links and API tokens of a person that others may use. Links can get another owner. */
export const UsedByOthers = ({ user, holdings, onChange }: UsedByOthersProps) => {
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
              </div>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <HandOverDialog user={user} link={open.link} onChange={onChange} onClose={() => setOpen(undefined)} />
      )}
    </Panel>
  )
}

const nameLink = ({ name, object_count: count }: HeldLink): string =>
  count > 1 ? t('andMore', { name, count: count - 1 }) : name

const describeLink = ({ use_count: count, last_used_at: time }: HeldLink): string =>
  t('linkUse', { count, time: formatMoment(time) })

const describeToken = ({ last_used_at: time }: APIToken): string =>
  t('tokenUse', { time: formatMoment(time) })
