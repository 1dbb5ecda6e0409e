import { CardPage } from '../kit/card-page.tsx'
import { pageData } from '../kit/page-data.ts'
import { t } from './messages.ts'
import { SignOut } from './sign-out.tsx'

/** What guests of an access link see: they have no account to manage. */
export const GuestPage = () => (
  <CardPage heading={t('guestHeading')} step="guest">
    <p>{t('guestText', { name: pageData.user?.displayName ?? '' })}</p>
    <SignOut />
  </CardPage>
)
