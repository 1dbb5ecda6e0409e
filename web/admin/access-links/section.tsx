import type { SectionProps } from '../kit/section.ts'
import { LinkDetail } from './link-detail.tsx'
import { LinkList } from './link-list.tsx'

export const Section = ({ path: [id] }: SectionProps) =>
  id === undefined ? <LinkList /> : <LinkDetail id={Number(id)} />
