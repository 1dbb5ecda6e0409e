import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('console')

/** Guests of links that name nobody have a random username, which means nothing to people. */
const randomName = /^guest-[\da-f]{18}$/

/** The name of a user. Guests without an address are anyone who has their link. */
export const nameGuest = (name: string): string => (isUnnamedGuest(name) ? t('guest') : name)

export const isUnnamedGuest = (name: string): boolean => randomName.test(name)
