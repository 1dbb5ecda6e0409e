import { useState } from 'preact/hooks'
import type { APIToken } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { CredentialPage } from '../credentials/credential-page.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { formatMoment } from '../kit/moment.ts'
import { leaveFor, toAddress } from '../kit/route.ts'
import { ReplaceToken } from './replace-token.tsx'
import { describeRevocation } from './revocation.tsx'

const t = messagesOf('apiTokens')

interface TokenDetailProps {
  /** The IDs of the owner and of the token. */
  readonly owner: number
  readonly id: number
}

/** One API token: what it may do, where it was used, what it did, and what replaces it. */
export const TokenDetail = ({ owner, id }: TokenDetailProps) => {
  const loaded = useLoaded(async (options) => {
    const [{ items }, user] = await Promise.all([
      client.apiTokens.listApiTokensOfAllUsers({ user: owner }, options),
      client.users.getUser(owner, {}, options),
    ])
    return { token: items.find((one) => one.id === id), user }
  })
  const [isReplacing, setReplacing] = useState(false)
  const list = toAddress('api-tokens', [], { user: String(owner) })
  return (
    <ShowLoaded loaded={loaded}>
      {({ token, user }) => (
        <>
          <CredentialPage
            heading={token?.name ?? t('token')}
            parent={{ address: list, label: t('ofUser', { name: user.username }) }}
            kind={t('token')}
            facts={
              token
                ? [
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
                  ]
                : []
            }
            usedNetworks={token?.used_networks}
            filter={{ credential: 'api_token', credential_id: String(id), actor: String(owner) }}
            actions={
              token &&
              !hasExpired(token) && (
                <Button look="secondary" onClick={() => setReplacing(true)}>
                  {t('replace')}
                </Button>
              )
            }
            end={token && describeRevocation(token, owner)}
          />
          {token && isReplacing && (
            <ReplaceToken
              token={token}
              owner={user}
              onReplaced={(until) => (until === undefined ? leaveFor(list) : void loaded.reload())}
              onClose={() => setReplacing(false)}
            />
          )}
        </>
      )}
    </ShowLoaded>
  )
}

const hasExpired = ({ expires }: APIToken): boolean => expires !== null && Date.parse(expires) <= Date.now()
