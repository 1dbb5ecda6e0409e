import type { APIToken, HeldLink, UserHoldings } from '../../../lib/client/generated/models.ts'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Panel } from '../kit/panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('leaver')

/** The access links and API tokens of a person that others may use. */
export const UsedByOthers = ({ holdings }: { readonly holdings: UserHoldings }) => {
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
            </li>
          ))}
        </ul>
      )}
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
    </Panel>
  )
}

const nameLink = ({ name, object_count: count }: HeldLink): string =>
  count > 1 ? t('andMore', { name, count: count - 1 }) : name

const describeTime = (time: string | null): string =>
  time === null ? consoleText('never') : formatDateTime(time)

const describeLink = ({ use_count: count, last_used_at: time }: HeldLink): string =>
  t('linkUse', { count, time: describeTime(time) })

const describeToken = ({ last_used_at: time }: APIToken): string =>
  t('tokenUse', { time: describeTime(time) })
