import type { LoadedSection } from '../kit/section.ts'
import { userMessages } from './messages.ts'
import { UserList } from './user-list.tsx'

export const section: LoadedSection = {
  load: userMessages.load,
  Show: () => <UserList />,
}
