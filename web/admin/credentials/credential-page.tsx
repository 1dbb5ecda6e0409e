import { useState } from 'preact/hooks'
import type { UsedNetwork } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate, formatDateTime, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { EventHistory } from '../audit/event-history.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { Facts, type FactsProps, Panel } from '../kit/panel.tsx'
import type { Query } from '../kit/route.ts'
import { leaveFor } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('credentials')
const consoleText = messagesOf('console')

interface CredentialPageProps extends Pick<FactsProps, 'facts'> {
  readonly heading: string
  /** The list that has it. The page leads there when the credential has ended. */
  readonly parent: { readonly address: string; readonly label: string }
  /** What kind of credential it is. */
  readonly kind: string
  /** From where it was used. Missing for kinds that do not remember it. */
  readonly usedNetworks?: readonly UsedNetwork[] | undefined
  /** The filters of the audit log for what was done with it. */
  readonly filter: Query
  /** Missing if it has ended. */
  readonly end?: CredentialEnd | undefined
}

interface CredentialEnd {
  /** The label of the button. */
  readonly action: string
  readonly question: string
  readonly text: string
  readonly run: () => Promise<void>
  /** What to say afterwards. */
  readonly done: string
}

/** One credential: what it may do, where it was used, what was done with it, and the button that ends it. */
export const CredentialPage = (props: CredentialPageProps) => {
  const { heading, parent, kind, facts, usedNetworks, filter, end } = props
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionPage
      heading={heading}
      parent={parent}
      actions={
        end && (
          <Button look="danger" onClick={() => setAsking(true)}>
            {end.action}
          </Button>
        )
      }
    >
      <Panel heading={kind}>{end ? <Facts facts={facts} /> : <p>{t('hasEnded')}</p>}</Panel>
      {usedNetworks && (
        <Panel heading={t('usedNetworks')} intro={t('usedNetworksIntro')}>
          {usedNetworks.length > 0 ? <Facts facts={listDays(usedNetworks)} /> : <p>{t('usedNowhere')}</p>}
        </Panel>
      )}
      <Panel heading={consoleText('history')} intro={t('historyIntro')}>
        <EventHistory filter={filter} />
      </Panel>
      {isAsking && end && (
        <ConfirmDialog
          heading={end.question}
          action={end.action}
          onConfirm={async () => {
            await end.run()
            showToast(end.done)
            leaveFor(parent.address)
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{end.text}</p>
        </ConfirmDialog>
      )}
    </SectionPage>
  )
}

/** When something of a credential happens, or that it never does. */
export const formatMoment = (time: string | null): string =>
  time === null ? consoleText('never') : formatDateTime(time)

/** The networks of each day, newest day first. */
const listDays = (used: readonly UsedNetwork[]) =>
  [...new Set(used.map(({ date }) => date))].map((day) => ({
    label: formatDate(`${day}T12:00:00Z`),
    value: formatList(used.filter(({ date }) => date === day).map(({ network }) => network)),
  }))
