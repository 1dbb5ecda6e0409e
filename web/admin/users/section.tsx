import type { SectionProps } from '../kit/section-page.tsx'
import { NewUser } from './new-user.tsx'
import { UserDetail } from './user-detail.tsx'
import { UserList } from './user-list.tsx'

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <UserList />
  return id === 'new' ? <NewUser /> : <UserDetail id={Number(id)} />
}
