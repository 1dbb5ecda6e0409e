import type { OneTimeAccessToken } from '../../../lib/client/generated/models.ts'
import { formatDateTime, formatList, formatNumber } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/delete-panel.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { describeContent, LinkExpiry } from './describe-link.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('accessLinks')

/** One access link with its latest uses. The value of the link is not shown. */
export const LinkDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.accessTokens.getAccessToken(id, options))
  const heading = t('link', { number: String(id) })
  return (
    <ShowLoaded loaded={loaded}>
      {(link) => (
        <SectionPage heading={heading} parent={{ address: toAddress('access-links'), label: t('heading') }}>
          <Overview link={link} />
          <Activity link={link} />
          <DeletePanel
            label={t('revokeLink')}
            name={describeContent(link) || heading}
            text={t('revokeLinkText')}
            onDelete={async () => {
              await client.accessTokens.deleteAccessToken(id)
              showToast(t('revoked'))
              leaveFor(toAddress('access-links'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface LinkProps {
  readonly link: OneTimeAccessToken
}

const Overview = ({ link }: LinkProps) => {
  const { user, created_by: creator } = link
  const protections = [
    ...(link.has_password ? [t('withPassword')] : []),
    ...(link.require_login ? [t('withSignIn')] : []),
  ]
  return (
    <Panel heading={t('overview')}>
      <Facts
        facts={[
          { label: t('content'), value: describeContent(link) },
          { label: t('recipient'), value: <a href={toAddress('users', [user.id])}>{user.display_name}</a> },
          {
            label: t('createdBy'),
            value: creator ? (
              <a href={toAddress('users', [creator.id])}>{creator.display_name}</a>
            ) : (
              consoleText('none')
            ),
          },
          { label: t('created'), value: formatDateTime(link.created_at) },
          { label: t('expires'), value: <LinkExpiry expires={link.expires} /> },
          {
            label: t('views'),
            value: link.view_limit_enabled ? formatNumber(link.view_limit_left) : t('unlimited'),
          },
          { label: t('protection'), value: formatList(protections) || consoleText('none') },
        ]}
      />
    </Panel>
  )
}

const Activity = ({ link: { activity } }: LinkProps) => (
  <Panel heading={t('activity')}>
    {activity.length === 0 ? (
      <p>{t('noActivity')}</p>
    ) : (
      <ul class="items">
        {activity.map(({ id, date, ip }) => (
          <li key={id}>
            <span>{formatDateTime(date)}</span>
            <span>{ip}</span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
