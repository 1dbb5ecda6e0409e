import type { LoadedSection, SectionProps } from '../kit/section.ts'
import { peopleMessages } from '../people/messages.ts'
import { templateMessages } from './messages.ts'
import { NewTemplate } from './new-template.tsx'
import { TemplateDetail } from './template-detail.tsx'
import { TemplateList } from './template-list.tsx'

const Templates = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <TemplateList />
  return id === 'new' ? <NewTemplate /> : <TemplateDetail id={Number(id)} />
}

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([peopleMessages.load(), templateMessages.load()])
  },
  Show: Templates,
}
