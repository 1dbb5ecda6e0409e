import { useState } from 'preact/hooks'
import type { OrganizationLink } from '../../lib/client/generated/models.ts'
import { formatDate, formatList } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { client } from '../session-kit/client.ts'
import { ConfirmDialog } from '../session-kit/confirm-dialog.tsx'
import { Item, PagedItems, useItemChange } from '../session-kit/items.tsx'
import { describeExpiry } from '../session-kit/new-token.tsx'
import { useList } from '../session-kit/use-list.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationAccess')
const access = messagesOf('access')

/** The access links that members made in the name of the organization. */
export const LinkSection = () => {
  const { organization } = useOrganization()
  const list = useList(
    (page, options) => client.organizations.listOrganizationLinks(organization.id, page, options),
    String(organization.id),
  )
  return (
    <section class="panel" aria-label={t('links')}>
      <p>{t('linksText')}</p>
      <PagedItems list={list} label={t('links')} empty={t('noLinks')}>
        {(link) => <LinkItem key={link.id} link={link} onChange={list.reload} />}
      </PagedItems>
    </section>
  )
}

interface LinkItemProps {
  readonly link: OrganizationLink
  readonly onChange: () => void
}

const LinkItem = ({ link, onChange }: LinkItemProps) => {
  const { organization } = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const { id, user, shared_bundles: bundles, shared_directories: directories, created_at: created } = link
  const name = formatList([...bundles, ...directories].map((object) => object.name))
  const dialog = { onClose: () => setAsking(false), onChange }
  const remove = useItemChange(dialog, t('linkDeleted'), () =>
    client.organizations.deleteOrganizationLink(organization.id, id),
  )
  const facts = [
    t('linkFor', { name: user.email ?? user.display_name }),
    access('createdOn', { date: formatDate(created) }),
    describeExpiry(link.expires),
  ]
  return (
    <Item
      name={name}
      note={facts.join(' ')}
      actions={[{ label: t('deleteLink'), onClick: () => setAsking(true) }]}
    >
      {isAsking && (
        <ConfirmDialog
          heading={t('deleteLinkHeading', { name })}
          confirmLabel={t('deleteLink')}
          action={remove}
          onClose={dialog.onClose}
        >
          <p>{t('deleteLinkText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}
