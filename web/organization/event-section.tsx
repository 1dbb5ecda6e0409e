import { useState } from 'preact/hooks'
import type { OrganizationEvent } from '../../lib/client/generated/models.ts'
import {
  isOrganizationEvent,
  type OrganizationEventName,
} from '../../lib/kernel/contract/organization-events.ts'
import { isolate } from '../../lib/kernel/i18n/languages.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatDateTime } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { client } from '../session-kit/client.ts'
import { saveFile } from '../session-kit/copy-button.tsx'
import { eventFiles } from '../session-kit/event-files.ts'
import { Item, PagedItems } from '../session-kit/items.tsx'
import { useList } from '../session-kit/use-list.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationEvents')

const titles = {
  'organization.created': 'created',
  'organization.changed': 'changed',
  'organization.slug_released': 'slugReleased',
  'organization.ending_requested': 'endingRequested',
  'organization.ending_withdrawn': 'endingWithdrawn',
  'organization.restored': 'restored',
  'organization.member_added': 'memberAdded',
  'organization.member_changed': 'memberChanged',
  'organization.member_removed': 'memberRemoved',
  'organization.invited': 'invited',
  'organization.invitation_resent': 'invitationResent',
  'organization.invitation_revoked': 'invitationRevoked',
  'organization.invitation_accepted': 'invitationAccepted',
  'organization.invitation_declined': 'invitationDeclined',
  'organization.api_token_created': 'tokenCreated',
  'organization.api_token_deleted': 'tokenDeleted',
  'access_token.created': 'linkCreated',
  'access_token.deleted': 'linkDeleted',
  'credential.leaked': 'leaked',
  'saml_provider.created': 'connectionCreated',
  'saml_provider.changed': 'connectionChanged',
  'saml_provider.refreshed': 'connectionChanged',
  'saml_provider.sp_key_added': 'connectionChanged',
  'saml_provider.sp_key_switched': 'connectionChanged',
  'saml_provider.certificate_ending': 'certificateEnding',
  'connection.domain_vouched': 'domainVouched',
  'saml_provider.deleted': 'connectionDeleted',
  'connection.domain_added': 'domainAdded',
  'connection.domain_proven': 'domainProven',
  'connection.domain_lost': 'domainLost',
  'connection.domain_removed': 'domainRemoved',
  'connection.approval_requested': 'connectionWaiting',
  'connection.approved': 'connectionApproved',
  'connection.stopped': 'connectionStopped',
  'saml_setup.link_created': 'setupLink',
  'saml_setup.link_opened': 'setupLinkOpened',
  'saml_setup.link_revoked': 'setupLinkRevoked',
  'saml_setup.changed': 'connectionChanged',
  'oidc_connection.created': 'connectionCreated',
  'oidc_connection.changed': 'connectionChanged',
  'oidc_connection.deleted': 'connectionDeleted',
} as const satisfies Record<OrganizationEventName, string>

/** What happened in the organization. */
export const EventSection = () => {
  const { organization } = useOrganization()
  const list = useList(
    (page, options) => client.organizations.listOrganizationEvents(organization.id, page, options),
    String(organization.id),
  )
  return (
    <section class="panel" aria-label={t('heading')}>
      <p>{t('text')}</p>
      <Export />
      <PagedItems list={list} label={t('heading')} empty={t('empty')}>
        {(event) => (
          <Item key={event.id} name={nameEvent(event)} note={describeEvent(event)} actions={[]}>
            {null}
          </Item>
        )}
      </PagedItems>
    </section>
  )
}

const nameEvent = ({ event, user, user_name: name, target }: OrganizationEvent): string =>
  // A newer service can have events that this page does not know.
  isOrganizationEvent(event)
    ? t(titles[event], {
        // The rest of the target is a domain, after the ID of the connection.
        name: user === null ? (target?.split(' ').slice(1).join(' ') ?? '') : namePerson(name),
      })
    : event

const namePerson = (name: string | null): string =>
  name === null ? t('formerMember') : isolate(name, pageData.language)

const describeEvent = ({
  created_at: at,
  user,
  actor,
  actor_name: name,
  api_token: apiToken,
}: OrganizationEvent): string =>
  [
    formatDateTime(at),
    actor !== null && actor !== user && t('by', { name: namePerson(name) }),
    apiToken !== null && t('byToken', { id: String(apiToken) }),
  ]
    .filter(Boolean)
    .join(' · ')

const formats = eventFiles<OrganizationEvent>([
  'created_at',
  'event',
  'user',
  'user_name',
  'actor',
  'actor_name',
  'api_token',
  'target',
  'changes',
  'id',
])

/** Saves all events as a file. */
const Export = () => {
  const { organization } = useOrganization()
  const [count, setCount] = useState<number>()
  const save = useAction(async (name: keyof typeof formats) => {
    const { type, header, toLine } = formats[name]
    const lines = [header]
    setCount(undefined)
    for await (const event of client.organizations.iterateOrganizationEvents(organization.id, { limit: 500 }))
      lines.push(toLine(event))
    setCount(lines.length - 1)
    saveFile(`${organization.slug}-events.${name}`, new Blob(lines, { type }))
    return undefined
  })
  return (
    <>
      <div class="row">
        <Button look="secondary" onClick={() => void save.run('csv')}>
          {t('exportCsv')}
        </Button>
        <Button look="secondary" onClick={() => void save.run('jsonl')}>
          {t('exportJson')}
        </Button>
      </div>
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      <Alert kind="success">{count !== undefined && t('exported', { count })}</Alert>
    </>
  )
}
