import { defineMessages } from '../../../kit/message-area.ts'
import type { en } from './messages/en.ts'

/** The names of the audit events. */
export const eventMessages = defineMessages<typeof en>({
  en: async () => (await import('./messages/en.ts')).en,
  fr: async () => (await import('./messages/fr.ts')).fr,
  de: async () => (await import('./messages/de.ts')).de,
  nb: async () => (await import('./messages/nb.ts')).nb,
  ja: async () => (await import('./messages/ja.ts')).ja,
  es: async () => (await import('./messages/es.ts')).es,
})

/** Names an event. A newer service can have events that this page does not know. */
export const nameEvent = (event: string): string => (isKnown(event) ? eventMessages.t(event) : event)

/** The names of all audit events as the API has them, in the order of their areas. */
export const listEvents = eventMessages.names

const isKnown = (event: string): event is keyof typeof en => listEvents().includes(event)
