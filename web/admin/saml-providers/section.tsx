import type { SectionProps } from '../kit/section.ts'
import { NewProvider } from './new-provider.tsx'
import { ProviderDetail } from './provider-detail.tsx'
import { ProviderList } from './provider-list.tsx'
import { TestResult } from './tests/test-result.tsx'

export const Section = ({ path: [id, part, token] }: SectionProps) => {
  if (id === undefined) return <ProviderList />
  if (id === 'new') return <NewProvider />
  return part === 'tests' && token ? (
    <TestResult id={Number(id)} token={token} />
  ) : (
    <ProviderDetail id={Number(id)} />
  )
}
