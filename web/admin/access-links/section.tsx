import type { LoadedSection, SectionProps } from '../kit/section.ts'
import { peopleMessages } from '../people/messages.ts'
import { LinkDetail } from './link-detail.tsx'
import { LinkList } from './link-list.tsx'
import { linkMessages } from './messages.ts'

const Links = ({ path: [id] }: SectionProps) =>
  id === undefined ? <LinkList /> : <LinkDetail id={Number(id)} />

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([peopleMessages.load(), linkMessages.load()])
  },
  Show: Links,
}
