import { Panel } from '../kit/panel.tsx'
import { replaceQuery } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { UserPicker } from '../people/user-picker.tsx'
import { t } from './messages.ts'

/** API tokens belong to users, so the administrator chooses one first. */
export const ChooseOwner = () => (
  <SectionPage heading={t('heading')}>
    <Panel heading={t('chooseOwner')}>
      <UserPicker action={t('show')} onPick={({ id }) => replaceQuery({ user: String(id) })} />
    </Panel>
  </SectionPage>
)
