import type { LoadedSection, SectionProps } from '../kit/section.ts'
import { peopleMessages } from '../people/messages.ts'
import { GroupDetail } from './group-detail.tsx'
import { GroupList } from './group-list.tsx'
import { groupMessages } from './messages.ts'
import { NewGroup } from './new-group.tsx'

const Groups = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <GroupList />
  return id === 'new' ? <NewGroup /> : <GroupDetail id={Number(id)} />
}

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([peopleMessages.load(), groupMessages.load()])
  },
  Show: Groups,
}
