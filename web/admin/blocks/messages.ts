import { defineMessages } from '../../kit/message-area.ts'
import type { en } from './messages/en.ts'

/** Messages of the blocked addresses in the console. */
export const blockMessages = defineMessages<typeof en>({
  en: async () => (await import('./messages/en.ts')).en,
  fr: async () => (await import('./messages/fr.ts')).fr,
  de: async () => (await import('./messages/de.ts')).de,
  nb: async () => (await import('./messages/nb.ts')).nb,
  ja: async () => (await import('./messages/ja.ts')).ja,
  es: async () => (await import('./messages/es.ts')).es,
})

export const { t } = blockMessages
