import type { SectionProps } from '../kit/section.ts'
import { NewTemplate } from './new-template.tsx'
import { TemplateDetail } from './template-detail.tsx'
import { TemplateList } from './template-list.tsx'

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <TemplateList />
  return id === 'new' ? <NewTemplate /> : <TemplateDetail id={Number(id)} />
}
