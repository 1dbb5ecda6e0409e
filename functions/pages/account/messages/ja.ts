import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'アカウント',
  signedInAs: '{name} としてサインインしています。',
  signOut: 'サインアウト',
}
