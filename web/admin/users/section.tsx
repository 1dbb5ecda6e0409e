import { loadChunk } from '../../kit/load-chunk.tsx'
import type { SectionProps } from '../kit/section-page.tsx'
import { UserList } from './user-list.tsx'

// Most people open the list first. Its rows appear sooner without the many parts of a user's page.
const NewUser = loadChunk(async () => (await import('./new-user.tsx')).NewUser)
const ImportUsers = loadChunk(async () => (await import('../user-files/import-users.tsx')).ImportUsers)
const UserDetail = loadChunk(async () => (await import('./user-detail.tsx')).UserDetail)

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <UserList />
  if (id === 'import') return <ImportUsers />
  return id === 'new' ? <NewUser /> : <UserDetail id={Number(id)} />
}
