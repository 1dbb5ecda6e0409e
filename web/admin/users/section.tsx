import { loadChunk } from '../../kit/load-chunk.tsx'
import type { SectionProps } from '../kit/section-page.tsx'
import { UserList } from './user-list.tsx'

// Most people open the list first. Its rows appear sooner without the many parts of a user's page.
const NewUser = loadChunk(async () => (await import('./new-user.tsx')).NewUser)
const UserDetail = loadChunk(async () => (await import('./user-detail.tsx')).UserDetail)

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <UserList />
  return id === 'new' ? <NewUser /> : <UserDetail id={Number(id)} />
}
