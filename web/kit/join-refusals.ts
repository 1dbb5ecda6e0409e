import { messagesOf } from './messages.ts'

const t = messagesOf('invite')

/** Explains by reason why somebody cannot join an organization that invited them. */
export const listJoinRefusals = (): Readonly<Record<string, string>> => ({
  organization_suspended: t('joinSuspended'),
  inviter_changed: t('joinInviterChanged'),
  roles_limited: t('joinLimited'),
  member_limit_reached: t('joinFull'),
  already_member: t('joinMember'),
})
