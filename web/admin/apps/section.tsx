import type { SectionProps } from '../kit/section.ts'
import { AppDetail } from './app-detail.tsx'
import { AppList } from './app-list.tsx'
import { NewApp } from './new-app.tsx'

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <AppList />
  return id === 'new' ? <NewApp /> : <AppDetail id={Number(id)} />
}
