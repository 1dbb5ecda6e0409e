import { CardPage } from '../kit/card-page.tsx'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { SignOut } from './sign-out.tsx'

const t = messagesOf('account')

/** What guests of an access link see: they have no account to manage. */
export const GuestPage = () => (
  <CardPage heading={t('guestHeading')} step="guest">
    <p>{t('guestText', { name: pageData.user?.displayName ?? '' })}</p>
    <SignOut />
  </CardPage>
)
