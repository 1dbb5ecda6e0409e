import type { LoadedSection, SectionProps } from '../kit/section.ts'
import { AppDetail } from './app-detail.tsx'
import { AppList } from './app-list.tsx'
import { appMessages } from './messages.ts'
import { NewApp } from './new-app.tsx'

const Apps = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <AppList />
  return id === 'new' ? <NewApp /> : <AppDetail id={Number(id)} />
}

export const section: LoadedSection = { load: appMessages.load, Show: Apps }
