import { messagesOf } from '../../kit/messages.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { LimitList } from './limit-list.tsx'
import { SuppressionList } from './suppression-list.tsx'

const t = messagesOf('blocks')

export const Section = () => (
  <SectionPage heading={t('heading')} intro={t('intro')}>
    <h2>{t('limits')}</h2>
    <LimitList />
    <h2>{t('suppressed')}</h2>
    <SuppressionList />
  </SectionPage>
)
