import type { UsedNetwork } from '../../../lib/client/generated/models.ts'
import { formatDate, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Facts, Panel } from '../kit/panel.tsx'

const t = messagesOf('credentials')

/** The networks that a credential was used from, by day. */
export const UsedNetworks = ({ networks }: { readonly networks: readonly UsedNetwork[] }) => (
  <Panel heading={t('usedNetworks')} intro={t('usedNetworksIntro')}>
    {networks.length > 0 ? <Facts facts={listDays(networks)} /> : <p>{t('usedNowhere')}</p>}
  </Panel>
)

/** The networks of each day, newest day first. */
const listDays = (used: readonly UsedNetwork[]) =>
  [...new Set(used.map(({ date }) => date))].map((day) => ({
    label: formatDate(`${day}T12:00:00Z`),
    value: formatList(used.filter(({ date }) => date === day).map(({ network }) => network)),
  }))
