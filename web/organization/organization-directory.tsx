import { messagesOf } from '../kit/messages.ts'
import { organizationDirectory } from '../session-kit/directory/directory-api.ts'
import type { ConnectionKind } from '../session-kit/directory/directory-guides.ts'
import { DirectoryPanel } from '../session-kit/directory/directory-panel.tsx'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('directory')

interface OrganizationDirectoryProps {
  readonly id: number
  readonly kind: ConnectionKind
}

/** The directory of a connection that the organization brought, for its managers. */
export const OrganizationDirectory = ({ id, kind }: OrganizationDirectoryProps) => {
  const { organization } = useOrganization()
  return (
    <div class="stack">
      <p class="note">{t('intro')}</p>
      <DirectoryPanel api={organizationDirectory(organization.id, id)} kind={kind} />
    </div>
  )
}
