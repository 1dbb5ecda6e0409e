import { messagesOf } from '../../kit/messages.ts'
import { connectionDirectory } from '../../session-kit/directory/directory-api.ts'
import type { ConnectionKind } from '../../session-kit/directory/directory-guides.ts'
import { DirectoryPanel } from '../../session-kit/directory/directory-panel.tsx'
import { Panel } from '../kit/panel.tsx'
import { DirectoryAttributes } from './directory-attributes.tsx'

const connections = messagesOf('connections')
const t = messagesOf('directory')

interface ConnectionDirectoryProps {
  readonly id: number
  readonly kind: ConnectionKind
}

/** The directory of a company connection, for administrators. */
export const ConnectionDirectory = ({ id, kind }: ConnectionDirectoryProps) => (
  <>
    <Panel heading={connections('tabDirectory')} intro={t('intro')}>
      <DirectoryPanel api={connectionDirectory(id)} kind={kind} />
    </Panel>
    <DirectoryAttributes api={connectionDirectory(id)} />
  </>
)
