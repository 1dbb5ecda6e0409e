import type { ConnectionDomain } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('setupLinks')
const connectionText = messagesOf('connections')

interface ApprovalPanelProps {
  readonly connection: { readonly id: number; readonly awaits_approval?: boolean | undefined }
  /** The issuer or entity ID of the identity provider. */
  readonly provider: string
  readonly onApprove: () => Promise<void>
}

/** Asks the administrator about a connection that an organization brought. */
export const ApprovalPanel = ({ connection, ...rest }: ApprovalPanelProps) =>
  connection.awaits_approval ? <Approval id={connection.id} {...rest} /> : null

interface ApprovalProps extends Omit<ApprovalPanelProps, 'connection'> {
  readonly id: number
}

const Approval = ({ id, provider, onApprove }: ApprovalProps) => {
  const loaded = useLoaded((options) => client.connections.getConnectionDomains(id, options))
  const approve = useConfirmedAction(async (domains: readonly string[]) => {
    await client.connections.approveConnection(id, { provider, domains: [...domains] })
    showToast(t('approved'))
    await onApprove()
    return undefined
  })
  return (
    <Panel heading={t('approvalHeading')} intro={t('approvalText')}>
      <ShowLoaded loaded={loaded}>
        {(all) => {
          const domains = listProven(all)
          return (
            <>
              <Facts
                facts={[
                  { label: t('approvalProvider'), value: provider },
                  { label: connectionText('domains'), value: formatList(domains) },
                ]}
              />
              <FailureAlert failure={approve.failure} />
              <div class="row">
                <Button isRunning={approve.isRunning} onClick={() => void approve.run(domains)}>
                  {t('approve')}
                </Button>
              </div>
            </>
          )
        }}
      </ShowLoaded>
    </Panel>
  )
}

const listProven = (domains: readonly ConnectionDomain[]): readonly string[] =>
  domains.filter(({ state }) => state === 'proven' || state === 'vouched').map(({ domain }) => domain)
