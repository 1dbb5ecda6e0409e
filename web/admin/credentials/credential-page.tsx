import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { UsedNetwork } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { EventHistory } from '../audit/event-history.tsx'
import { Facts, type FactsProps, Panel } from '../kit/panel.tsx'
import type { Query } from '../kit/route.ts'
import { leaveFor } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { AskEnd, type CredentialEnd } from './ask-end.tsx'
import { UsedNetworks } from './used-networks.tsx'

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
  /** Buttons beside the one that ends it. */
  readonly actions?: ComponentChildren
  /** Missing if it has ended. */
  readonly end?: CredentialEnd | undefined
}

/** One credential: what it may do, where it was used, what was done with it, and the button that ends it. */
export const CredentialPage = (props: CredentialPageProps) => {
  const { heading, parent, kind, facts, usedNetworks, filter, actions, end } = props
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionPage
      heading={heading}
      parent={parent}
      actions={
        end && (
          <>
            {actions}
            <Button look="danger" onClick={() => setAsking(true)}>
              {end.action}
            </Button>
          </>
        )
      }
    >
      <Panel heading={kind}>{end ? <Facts facts={facts} /> : <p>{t('hasEnded')}</p>}</Panel>
      {end && usedNetworks && <UsedNetworks networks={usedNetworks} />}
      <Panel heading={consoleText('history')} intro={t('historyIntro')}>
        <EventHistory filter={filter} />
      </Panel>
      {isAsking && end && (
        <AskEnd end={end} onEnded={() => leaveFor(parent.address)} onClose={() => setAsking(false)} />
      )}
    </SectionPage>
  )
}
