import { loadChunk } from '../../kit/load-chunk.tsx'
import type { SectionProps } from '../kit/section-page.tsx'
import { UserList } from './user-list.tsx'

// Most people open the list first. Its rows appear sooner without the many parts of a user's page.
const NewUser = loadChunk(async () => (await import('./new-user.tsx')).NewUser)
const ImportUsers = loadChunk(async () => (await import('../user-files/import-users.tsx')).ImportUsers)
const EndEverything = loadChunk(async () => (await import('./end-everything.tsx')).EndEverything)
const UserDetail = loadChunk(async () => (await import('./user-detail.tsx')).UserDetail)

const SessionPage = loadChunk(async () => (await import('./session-page.tsx')).SessionPage)

export const Section = ({ path: [id, part, partId] }: SectionProps) => {
  if (id === undefined) return <UserList />
  if (id === 'import') return <ImportUsers />
  if (part === 'sessions') return <SessionPage key={partId} userId={Number(id)} id={Number(partId)} />
  if (part === 'end') return <EndEverything id={Number(id)} />
  return id === 'new' ? <NewUser /> : <UserDetail id={Number(id)} />
}
