import type { LoadedSection } from '../kit/section.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { peopleMessages } from '../people/messages.ts'
import { LimitList } from './limit-list.tsx'
import { blockMessages, t } from './messages.ts'
import { SuppressionList } from './suppression-list.tsx'

const Blocks = () => (
  <SectionPage heading={t('heading')} intro={t('intro')}>
    <h2>{t('limits')}</h2>
    <LimitList />
    <h2>{t('suppressed')}</h2>
    <SuppressionList />
  </SectionPage>
)

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([peopleMessages.load(), blockMessages.load()])
  },
  Show: Blocks,
}
