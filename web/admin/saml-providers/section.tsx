import type { LoadedSection, SectionProps } from '../kit/section.ts'
import { samlMessages } from './messages.ts'
import { NewProvider } from './new-provider.tsx'
import { ProviderDetail } from './provider-detail.tsx'
import { ProviderList } from './provider-list.tsx'
import { testMessages } from './tests/messages.ts'
import { TestResult } from './tests/test-result.tsx'

const Providers = ({ path: [id, part, token] }: SectionProps) => {
  if (id === undefined) return <ProviderList />
  if (id === 'new') return <NewProvider />
  return part === 'tests' && token ? (
    <TestResult id={Number(id)} token={token} />
  ) : (
    <ProviderDetail id={Number(id)} />
  )
}

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([samlMessages.load(), testMessages.load()])
  },
  Show: Providers,
}
