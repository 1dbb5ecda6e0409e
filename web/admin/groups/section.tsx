import type { SectionProps } from '../kit/section.ts'
import { GroupDetail } from './group-detail.tsx'
import { GroupList } from './group-list.tsx'
import { NewGroup } from './new-group.tsx'

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <GroupList />
  return id === 'new' ? <NewGroup /> : <GroupDetail id={Number(id)} />
}
