import { useEffect } from 'preact/hooks'
import type {
  Overview,
  OverviewAttention,
  OverviewDay,
  OverviewThing,
} from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { formatDate, formatDateTime, formatNumber, formatSoon } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { useOverview } from '../kit/current-user.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { Onboarding } from './onboarding.tsx'
import { listOwnLacks } from './own-account.ts'
import { SignInChart, SignInProviders, SignInWays } from './sign-ins.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('overview')

/** The first page of the console: what needs attention, and how people signed in. */
export const Section = () => {
  const loaded = useOverview()
  // What the menu loaded when the console was opened can be old.
  useEffect(() => {
    if (loaded.value) void loaded.reload()
  }, [])
  return (
    <SectionPage
      heading={consoleText('overview')}
      actions={
        <Button look="secondary" onClick={loaded.reload}>
          {t('refresh')}
        </Button>
      }
    >
      <Onboarding />
      <ShowLoaded loaded={loaded}>{(overview) => overview && <Content overview={overview} />}</ShowLoaded>
    </SectionPage>
  )
}

const Content = ({
  overview: { attention, days, providers, active_users: active },
}: {
  readonly overview: Overview
}) => (
  <div class="overview stack">
    <Alert kind="success">{attention.length + listOwnLacks().length === 0 && t('allGood')}</Alert>
    {attention.length + listOwnLacks().length > 0 && <Attention attention={attention} />}
    <Panel heading={t('signIns')} intro={t('signInsIntro')}>
      {hasSignIns(days) ? <SignInChart days={days} /> : <p>{t('noSignInsYet')}</p>}
    </Panel>
    <Panel heading={t('activeUsers')} intro={t('activeUsersIntro')}>
      <Facts
        facts={active.map((period) => ({
          label: describePeriod(period.days),
          value: formatNumber(period.users),
        }))}
      />
      <a href={toAddress('activity')}>{t('months')}</a>
    </Panel>
    {days.some(({ succeeded }) => succeeded > 0) && (
      <Panel heading={t('ways')} intro={t('waysIntro')}>
        <SignInWays days={days} />
      </Panel>
    )}
    {providers.length > 0 && (
      <Panel heading={t('providers')} intro={t('waysIntro')}>
        <SignInProviders providers={providers} />
      </Panel>
    )}
  </div>
)

const describePeriod = (days: number): string => (days === 1 ? t('today') : t(days === 7 ? 'week' : 'month'))

const hasSignIns = (days: readonly OverviewDay[]): boolean =>
  days.some(({ succeeded, refused }) => succeeded + refused > 0)

const Attention = ({ attention }: { readonly attention: readonly OverviewAttention[] }) => (
  <Panel heading={t('attention')}>
    <ul class="items">
      {listOwnLacks().map((lack) => (
        <li key={lack}>
          <div>{t(lack === 'email' ? 'ownEmail' : 'ownSecondFactor')}</div>
          <a href={lack === 'email' ? '/account#/profile' : '/account#/two-step'}>{t('ownAccount')}</a>
        </li>
      ))}
      {attention.map((entry) => {
        const { text, address, label } = describeEntry(entry)
        return (
          <li key={entry.kind}>
            <div>
              {text}
              {entry.things.length > 0 && (
                <ul class="things">
                  {entry.things.map((thing, at) => (
                    <li key={at}>
                      <Thing kind={entry.kind} thing={thing} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            <a href={address}>{label}</a>
          </li>
        )
      })}
    </ul>
  </Panel>
)

interface ThingProps {
  readonly kind: OverviewAttention['kind']
  readonly thing: OverviewThing
}

/** One of the things that need attention, by its name, with a link to it. */
const Thing = ({ kind, thing }: ThingProps) => {
  const { connection, connection_kind: connectionKind, user, name, domain, time } = thing
  const shown = [name ?? t('unknownName'), domain].filter(Boolean).join(' · ')
  const address =
    connection !== null && connectionKind !== null
      ? toAddress('connections', [connectionKind, connection])
      : user !== null && toAddress('users', [user])
  return (
    <>
      {address ? <a href={address}>{shown}</a> : shown}
      {time !== null && (
        <span class="note">
          {' '}
          {kind === 'rate_limited'
            ? t('waitsUntil', { time: formatSoon(time) })
            : t(Date.parse(time) <= Date.now() ? 'hasEnded' : 'endsOn', { time: formatDate(time) })}
        </span>
      )}
    </>
  )
}

interface EntryText {
  readonly text: string
  /** Where to look at it. */
  readonly address: string
  readonly label: string
}

const auditLog = (event?: string) => ({
  address: toAddress('audit-events', [], { event }),
  label: consoleText('auditLog'),
})
const connections = () => ({ address: toAddress('connections'), label: consoleText('connections') })
const blocks = () => ({ address: toAddress('blocks'), label: consoleText('blocks') })

const describeEntry = ({ kind, count, has_more: hasMore, time }: OverviewAttention): EntryText => {
  const date = time === null ? '' : formatDateTime(time)
  switch (kind) {
    case 'audit_chain_stopped':
      return { text: t('auditChainStopped', { date }), ...auditLog() }
    case 'certificate_ending':
      return {
        text: t('certificateEnding', { count, date }),
        ...connections(),
      }
    case 'domain_lost':
      return {
        text: t('domainLost', { count }),
        ...connections(),
      }
    case 'metadata_not_refreshed':
      return { text: t('metadataNotRefreshed', { count }), ...auditLog('saml_provider.refresh_failed') }
    case 'rate_limited':
      return { text: t(hasMore ? 'rateLimitedMany' : 'rateLimited', { count }), ...blocks() }
    case 'mail_failed':
      return { text: t('mailFailed', { count }), ...auditLog('mail.given_up') }
    case 'mail_unknown':
      return { text: t('mailUnknown', { count }), ...auditLog() }
    case 'address_suppressed':
      return { text: t('addressSuppressed', { count }), ...blocks() }
    case 'logout_not_delivered':
      return { text: t('logoutNotDelivered', { count }), ...auditLog('oidc_client.logout_failed') }
  }
}
