import type { UsedNetwork } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate, formatDateTime, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { EventHistory } from '../audit/event-history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { formatMoment } from '../kit/moment.ts'
import { Facts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useRevocation } from './revocation.tsx'

const t = messagesOf('apiTokens')
const consoleText = messagesOf('console')
const people = messagesOf('people')

interface TokenDetailProps {
  /** The IDs of the owner and of the token. */
  readonly owner: number
  readonly id: number
}

/** One API token: what it may do, where it was used, and what it did. */
export const TokenDetail = ({ owner, id }: TokenDetailProps) => {
  const loaded = useLoaded(async (options) => {
    const [{ items }, user] = await Promise.all([
      client.apiTokens.listApiTokensOfAllUsers({ user: owner }, options),
      client.users.getUser(owner, {}, options),
    ])
    const token = items.find((one) => one.id === id)
    return { token, user, networks: token?.used_networks ?? [] }
  })
  const list = toAddress('api-tokens', [], { user: String(owner) })
  const { revoke, dialog } = useRevocation(
    () => owner,
    () => leaveFor(list),
  )
  return (
    <ShowLoaded loaded={loaded}>
      {({ token, user, networks }) => (
        <SectionPage
          heading={token?.name ?? t('token')}
          parent={{ address: list, label: t('ofUser', { name: user.username }) }}
          actions={
            token && (
              <Button look="danger" onClick={() => revoke(token)}>
                {people('revoke')}
              </Button>
            )
          }
        >
          <Panel heading={t('token')}>
            {token ? (
              <Facts
                facts={[
                  {
                    label: t('owner'),
                    value: <a href={toAddress('users', [owner])}>{user.username}</a>,
                  },
                  {
                    label: t('scopes'),
                    value: token.scopes === null ? t('unlimited') : formatList(token.scopes),
                  },
                  { label: t('created'), value: formatDateTime(token.created_at) },
                  { label: t('lastUsed'), value: formatMoment(token.last_used_at) },
                  { label: t('expires'), value: formatMoment(token.expires) },
                ]}
              />
            ) : (
              <p>{t('hasEnded')}</p>
            )}
          </Panel>
          {token && (
            <Panel heading={t('usedNetworks')} intro={t('usedNetworksIntro')}>
              {networks.length > 0 ? <Facts facts={listDays(networks)} /> : <p>{t('usedNowhere')}</p>}
            </Panel>
          )}
          <Panel heading={consoleText('history')} intro={t('historyIntro')}>
            <EventHistory
              filter={{ credential: 'api_token', credential_id: String(id), actor: String(owner) }}
            />
          </Panel>
          {dialog}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

/** The networks of each day, newest day first. */
const listDays = (used: readonly UsedNetwork[]) =>
  [...new Set(used.map(({ date }) => date))].map((day) => ({
    label: formatDate(`${day}T12:00:00Z`),
    value: formatList(used.filter(({ date }) => date === day).map(({ network }) => network)),
  }))
