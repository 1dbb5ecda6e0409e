import type { LoadedSection, SectionProps } from '../kit/section.ts'
import { peopleMessages } from '../people/messages.ts'
import { userMessages } from './messages.ts'
import { NewUser } from './new-user.tsx'
import { UserDetail } from './user-detail.tsx'
import { UserList } from './user-list.tsx'

const Users = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <UserList />
  return id === 'new' ? <NewUser /> : <UserDetail id={Number(id)} />
}

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([peopleMessages.load(), userMessages.load()])
  },
  Show: Users,
}
